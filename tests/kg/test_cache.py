"""The doctrine in the user's cache: built once, the same when read again, and made anew for other code or data."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg import cache
from kg.store import doctrine

NODE = NamedNode("http://example.org/a")


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "sanshi"


def some() -> Store:
    store = Store()
    store.add(Quad(NODE, NODE, Literal("甲\n", language="zh-hant")))
    return store


def nothing() -> Store:
    raise AssertionError("it is built although it is kept")


def test_what_was_built_is_read_again(room: Path) -> None:
    assert set(cache.kept(some)) == set(some())
    (path,) = room.iterdir()
    assert cache.digest() in path.name
    assert set(cache.kept(nothing)) == set(some())


def test_what_other_code_built_is_not_taken_and_the_oldest_goes(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.kept(Store)
    (first,) = room.iterdir()
    for number in range(cache.KEPT):
        monkeypatch.setattr(cache, "digest", lambda number=number: f"{number}")
        assert set(cache.kept(some)) == set(some())
        os.utime(room / f"doctrine-{number}.nt", (number + 2**31, number + 2**31))
        assert first.exists() == (number + 1 < cache.KEPT)
    assert len(list(room.iterdir())) == cache.KEPT


def test_the_digest_is_of_the_code_and_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.digest()
    for name in ("kg", "ontology"):
        (tmp_path / name).mkdir()
    (tmp_path / "kg" / "works.tsv").write_text("甲", encoding="utf-8")
    for package in (cache.kg, cache.ontology):
        monkeypatch.setattr(package, "__path__", [str(tmp_path / package.__name__)])
    digests = [before, cache.digest.__wrapped__()]
    (tmp_path / "kg" / "works.tsv").write_text("乙", encoding="utf-8")
    digests.append(cache.digest.__wrapped__())
    (tmp_path / "kg" / "works.tsv").rename(tmp_path / "kg" / "books.tsv")
    digests.append(cache.digest.__wrapped__())
    (tmp_path / "ontology" / "prefixes.ttl").write_text("", encoding="utf-8")
    digests.append(cache.digest.__wrapped__())
    assert len(set(digests)) == 5


def test_a_spoilt_or_closed_cache_is_as_none(room: Path) -> None:
    cache.kept(some)
    (path,) = room.iterdir()
    path.write_text("<http://example.org/half", encoding="utf-8")
    assert set(cache.kept(some)) == set(some())
    assert set(cache.kept(nothing)) == set(some())
    path.unlink()
    room.rmdir()
    room.write_text("a file where the folder would be", encoding="utf-8")
    assert set(cache.kept(some)) == set(some())


def test_the_doctrine_kept_is_the_doctrine_built(room: Path) -> None:
    built, kept = doctrine(), doctrine()
    named = [{quad for quad in store if "_:" not in str(quad)} for store in (built, kept)]
    assert named[0] == named[1]
    assert len(built) == len(kept)
