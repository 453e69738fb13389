"""The commands: all that knows a flag or a terminal."""
