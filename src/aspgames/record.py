"""Records of games: text with tags and moves, as PGN has them, and JSON lines.

>>> import aspgames
>>> game = aspgames.record.parse('[Game "breakthrough"]\\n\\n1. a2-a3 a7-a6 *')[0]
>>> len(game.moves)
2
"""

from .play.formats.registry import parse, read, write
from .play.game_record import Record
from .rl.data import parquet_format  # noqa: F401  registers the format

__all__ = ["Record", "parse", "read", "write"]
