"""A preset: checked, with its defaults, and what it asks for."""
