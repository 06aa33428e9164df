"""Files of games (``pip install aspgames[data]``): Parquet, one row for each state.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> import aspgames
>>> start = aspgames.load("breakthrough", width=4, height=5).initial
>>> with TemporaryDirectory() as folder:
...     made = aspgames.data.record_games(start, 100, Path(folder, "games.parquet"), seed=1)
...     found = aspgames.data.read(made.path)
...     game = next(found.records())
>>> len(found) == made.rows and game.replay()[-1].is_terminal
True
"""

from .rl.data.columns import About
from .rl.data.game_file import GamesFile, read
from .rl.data.played_games import write
from .rl.data.recording import RecordedGames, record_games
from .rl.data.search_table import search_table

__all__ = ["About", "GamesFile", "RecordedGames", "read", "record_games", "search_table", "write"]
