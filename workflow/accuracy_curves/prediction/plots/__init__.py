"""How answers are drawn."""
