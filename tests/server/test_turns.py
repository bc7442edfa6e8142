"""Who gets a worker and when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from kg.server.turns import Full, Turns

Scene = Callable[[Turns[str]], Coroutine[Any, Any, Any]]


def _play(scene: Scene, things: str = "ab", most: int = 10) -> Any:
    async def play() -> Any:
        turns: Turns[str] = Turns(most)
        for thing in things:
            turns.add(thing)
        return await scene(turns)

    return asyncio.run(play())


def _ask(turns: Turns[str], stranger: bool, name: str, order: list[str]) -> asyncio.Task[str]:
    async def ask() -> str:
        thing = await turns.take(stranger=stranger)
        order.append(name)
        return thing

    return asyncio.create_task(ask())


def test_in_the_order_of_coming() -> None:
    async def scene(turns: Turns[str]) -> list[str]:
        order: list[str] = []
        tasks = [_ask(turns, bool(n % 2), str(n), order) for n in range(6)]
        await asyncio.sleep(0)
        for number, task in enumerate(tasks):
            turns.give_back(await task, stranger=bool(number % 2))
        return order

    assert _play(scene) == ["0", "1", "2", "3", "4", "5"]


def test_strangers_leave_one_and_those_behind_them_pass() -> None:
    async def scene(turns: Turns[str]) -> tuple[list[str], list[str]]:
        order: list[str] = []
        first, second = (_ask(turns, True, name, order) for name in ("first", "second"))
        ours = _ask(turns, False, "ours", order)
        await asyncio.sleep(0)
        await ours
        before = list(order)
        turns.give_back(await first, stranger=True)
        await second
        return before, order

    assert _play(scene) == (["first", "ours"], ["first", "ours", "second"])


def test_too_many_are_sent_away() -> None:
    async def scene(turns: Turns[str]) -> None:
        order: list[str] = []
        tasks = [_ask(turns, False, str(n), order) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Full):
            await turns.take(stranger=False)
        for task in tasks:
            turns.give_back(await task, stranger=False)

    _play(scene, most=2)


@pytest.mark.parametrize("lent", [False, True])
def test_who_gives_up_keeps_nothing_back(lent: bool) -> None:
    async def scene(turns: Turns[str]) -> str:
        held = await turns.take(stranger=True)
        waiting = _ask(turns, True, "gives up", [])
        await asyncio.sleep(0)
        if lent:
            turns.give_back(held, stranger=True)
            waiting.cancel()
        else:
            waiting.cancel()
            turns.give_back(held, stranger=True)
        with pytest.raises(asyncio.CancelledError):
            await waiting
        for _ in range(3):
            turns.give_back(await turns.take(stranger=True), stranger=True)
        return await turns.take(stranger=True)

    assert _play(scene) in "ab"
