"""The errors Sanshi raises: a small tree under one base.

Each message is one line that says what was wrong and what is accepted; where a rule of a book is broken the
message cites it. The terminal prints the line and exits with 2, the server answers with it as a 400.
"""

from __future__ import annotations


class SanshiError(Exception):
    """Base of every error raised on purpose by Sanshi."""


class InputError(SanshiError):
    """A value given by the user is not one that is accepted.

    >>> raise InputError("hour", "鼠", "one of 子丑寅卯辰巳午未申酉戌亥")
    Traceback (most recent call last):
    kg.errors.InputError: hour: '鼠' is not accepted; give one of 子丑寅卯辰巳午未申酉戌亥
    """

    def __init__(self, field: str, value: object, accepted: str) -> None:
        self.field, self.value, self.accepted = field, value, accepted
        super().__init__(f"{field}: {str(value)!r} is not accepted; give {accepted}")


class InstantError(InputError):
    """An instant is naive, impossible, or outside the years the calendar covers."""


class MissingInput(SanshiError):
    """Something needed was not given."""

    def __init__(self, what: str, needs: str) -> None:
        self.what, self.needs = what, needs
        super().__init__(f"{what} needs {needs}")


class DataError(SanshiError):
    """Data of the graph (ontology, treatise, rules, loaded text) is malformed; names the place."""


class StoreError(SanshiError):
    """A store or endpoint did not answer as a SPARQL 1.1 store must."""


class QueryError(SanshiError):
    """A query is not known, not well formed, or lacks a parameter."""
