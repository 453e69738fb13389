"""What every job of the workflow does: log, check, stop, record."""
