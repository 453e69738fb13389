"""What a run costs, from the benchmark files of a run."""
