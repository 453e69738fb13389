"""Modules that know no word of the field: arrays, checks of values, files, seeds, numerics."""
