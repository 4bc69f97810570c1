"""From a file's bytes to raw rows with their places: one module a format, all behind `read.read_rows`."""
