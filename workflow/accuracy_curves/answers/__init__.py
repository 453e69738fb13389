"""A question about a score matrix and its answer: table, sentences, page."""
