"""Original files of the papers: where they come from, fetched whole or with one sentence."""
