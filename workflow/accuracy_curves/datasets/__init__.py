"""The papers' data sets: where they come from, and how their original files are read."""
