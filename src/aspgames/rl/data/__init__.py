"""Plays games into Parquet files, and reads such files."""
