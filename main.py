"""The console salon and the one-shot commands: ``python main.py``."""

import sys
from pathlib import Path

from chathistory.console import run


def main() -> None:
    """Run the command line; the exit code is 0, 1 after a named error, or 2 after wrong use."""
    sys.exit(run(sys.argv[1:], home=Path(__file__).resolve().parent))


if __name__ == "__main__":
    main()
