"""What `make publish` does: a run's tables, figures and curves become what is committed."""
