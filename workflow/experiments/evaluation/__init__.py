"""How good predictions are: repetitions, errors, coverage, rankings, claims of papers."""
