"""`python -m dgsolve` is the same as `dgsolve`."""

from dgsolve.cli import main

if __name__ == "__main__":
    main()
