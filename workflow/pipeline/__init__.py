"""What the workflow knows beside the library: its configuration, and where results come from."""
