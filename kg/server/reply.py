"""What comes back for a request: bytes with their media type, or a refusal with its status and one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kg.errors import SanshiError


@dataclass(frozen=True, slots=True)
class Reply:
    """A representation, made in a worker and sent as it is."""

    content: bytes
    media_type: str
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


class Refused(SanshiError):
    """A request that is not served: the status, and a line that says why and what is accepted.

    >>> Refused(404, "there is no such thing").status
    404
    """

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        self.message = " ".join(message.split())
        self.headers = dict(headers or {})
        super().__init__(self.message)


def json_reply(value: Any, media_type: str = "application/json", status: int = 200) -> Reply:
    """A value as JSON, characters as they are.

    >>> json_reply({"name": "子"}).content.decode()
    '{"name": "子"}\\n'
    """
    return Reply(json.dumps(value, ensure_ascii=False).encode() + b"\n", media_type, status=status)
