"""`python -m accuracy_curves` is `accuracy-curves`."""

from accuracy_curves.cli.main import main

if __name__ == "__main__":
    main()
