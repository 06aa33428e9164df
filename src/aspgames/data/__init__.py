"""Games as tables: Parquet files with a row for each state, for pandas, polars, DuckDB and back."""
