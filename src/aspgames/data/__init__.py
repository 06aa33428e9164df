"""Games as tables: Parquet files with a row for each state, for pandas, polars, DuckDB and back.

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

from .columns import About
from .file import GamesFile, read
from .make import Made, record_games
from .write import write

__all__ = ["About", "GamesFile", "Made", "read", "record_games", "write"]
