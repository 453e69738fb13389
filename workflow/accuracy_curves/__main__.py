"""`python -m accuracy_curves` is `accuracy-curves`."""

from accuracy_curves.cli import main

if __name__ == "__main__":
    main()
