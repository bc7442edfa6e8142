"""Jobs for the tests of the workers, which import this module by name."""

from __future__ import annotations

import os
import time

from kg.errors import InputError
from kg.server.pool import GROWN
from kg.server.reply import Refused, Reply
from kg.server.world import World


def number(world: World) -> Reply:
    return Reply(str(os.getpid()).encode(), "text/plain")


def die(world: World) -> Reply:
    os._exit(1)


def sleep(world: World, seconds: float) -> Reply:
    time.sleep(seconds)
    return number(world)


def fault(world: World) -> Reply:
    raise ZeroDivisionError("inner matters")


def wrong(world: World) -> Reply:
    raise InputError("hour", "鼠", "a branch")


def refuse(world: World) -> Reply:
    raise Refused(404, "not there", {"X-Why": "because"})


def grow(world: World) -> Reply:
    taken = bytearray(b"x" * (GROWN + (64 << 20)))
    return Reply(str(len(taken)).encode(), "text/plain")
