"""The papers' figures, one module a family; each function returns a figure and writes no file."""
