"""Files of games: played, written as Parquet, and read again."""
