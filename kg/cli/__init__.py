"""The command `sanshi`. One module a family of commands; each registers on `app` and imports what is heavy when run.

Errors, ours and those of usage, end as one line on stderr and exit code 2; a command that finds that something asked
does not hold exits with 1.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

from typer import TyperException

from kg.cli.app import app, usage
from kg.errors import SanshiError


def main() -> None:
    """Entrance of the console script."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "app"):
        importlib.import_module(f"{__name__}.{module}")
    try:
        sys.exit(app(prog_name="sanshi", standalone_mode=False))
    except SanshiError as error:
        print(f"sanshi: {error}", file=sys.stderr)
        sys.exit(2)
    except TyperException as error:
        print(usage(error), file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(0)
