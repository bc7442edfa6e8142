"""Whose turn it is: requests take workers in the order in which they came, but strangers' queries never take all."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Full(Exception):
    """So many wait already that one more is sent away."""


class Turns(Generic[T]):
    """Things to be lent one at a time each, all but one of them to strangers as well. For one event loop."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._idle: deque[T] = deque()
        self._count = 0
        self._strangers = 0
        self._waiting: deque[tuple[asyncio.Future[T], bool]] = deque()

    def add(self, thing: T) -> None:
        """Add a thing to be lent."""
        self._count += 1
        self._idle.append(thing)

    async def take(self, *, stranger: bool) -> T:
        """Wait for a thing; whoever takes it gives it back. Raises Full.

        >>> turns = Turns(most=10)
        >>> turns.add("a"), turns.add("b")
        (None, None)
        >>> asyncio.run(turns.take(stranger=True))
        'a'
        """
        if len(self._waiting) >= self.most:
            raise Full
        waiter: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        entry = waiter, stranger
        self._waiting.append(entry)
        self._lend()
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self.give_back(waiter.result(), stranger=stranger)  # lent in the moment of giving up
            elif entry in self._waiting:
                self._waiting.remove(entry)
            raise

    def give_back(self, thing: T, *, stranger: bool) -> None:
        """Give a thing back, as who it was taken as."""
        self._strangers -= stranger
        self._idle.append(thing)
        self._lend()

    def _lend(self) -> None:
        """Lend what is idle to those that wait longest and may have it."""
        while self._idle:
            for entry in self._waiting:
                if not entry[1] or self._strangers < self._count - 1:
                    break
            else:
                return
            self._waiting.remove(entry)
            waiter, stranger = entry
            if not waiter.done():
                self._strangers += stranger
                waiter.set_result(self._idle.popleft())
