"""Open set: false positives and false negatives at a threshold, in a gallery of any size."""
