"""How sure a prediction is: fits to halves of the classes, and what follows from them."""
