"""What only the papers' experiments need: data sets, evaluation, figures."""
