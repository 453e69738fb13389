"""Accuracy curves: how accurate a classifier will be on more classes than it was tested on."""

import lazy_loader

# The public names stand in `__init__.pyi`; each is imported when it is first used.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
