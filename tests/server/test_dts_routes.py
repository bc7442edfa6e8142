"""Distributed Text Services over HTTP: the answers of `kg.dts` under the address of this server."""

from __future__ import annotations

import json

import httpx
import pytest
from lxml import etree

from kg import dts
from kg.findings import Doctrine

WORK = "https://w3id.org/sanshi/id/work/liuren-jingwei"


def test_from_the_entry_point_one_comes_to_a_passage(live: httpx.Client) -> None:
    entry = live.get("/dts").json()
    base = str(live.base_url).rstrip("/")
    assert entry["@id"] == f"{base}/dts"
    assert live.get("/dts/").json() == entry
    collection = live.get(entry["collection"].partition("{")[0]).json()
    assert WORK in [member["@id"] for member in collection["member"]]
    work = next(member for member in collection["member"] if member["@id"] == WORK)
    tree = live.get(work["navigation"].partition("{")[0], params={"resource": WORK, "down": 3}).json()
    passage = next(unit for unit in tree["member"] if unit["citeType"] == "passage")
    document = live.get("/dts/document", params={"resource": WORK, "ref": passage["identifier"]})
    assert document.headers["Content-Type"].startswith("application/tei+xml")
    assert 'rel="collection"' in document.headers["Link"]
    root = etree.fromstring(document.content)
    assert root.find(".//{https://w3id.org/api/dts#}wrapper") is not None


def test_the_answers_are_those_of_the_functions(live: httpx.Client, doctrine: Doctrine) -> None:
    base = f"{str(live.base_url).rstrip('/')}/dts"
    for name, given in (("collection", {"id": WORK}), ("navigation", {"resource": WORK, "down": "1"})):
        response = live.get(f"/dts/{name}", params=given)
        assert response.headers["Content-Type"] == "application/ld+json"
        assert response.json() == json.loads(json.dumps(getattr(dts, name)(doctrine.store, base, given)))
    plain = live.get("/dts/document", params={"resource": WORK, "ref": "3.1", "mediaType": "text/plain"})
    assert plain.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert plain.text.startswith("懸胎")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/dts/document", 400),
        ("/dts/document?resource=urn:none", 404),
        (f"/dts/document?resource={WORK}&ref=99.1", 404),
        (f"/dts/document?resource={WORK}&ref=3&start=3&end=3", 400),
        (f"/dts/document?resource={WORK}&resource={WORK}", 400),
        (f"/dts/document?resource={WORK}&mediaType=image/png", 404),
        ("/dts/navigation?resource=urn:none&down=1", 404),
        ("/dts/collection?id=urn:none", 404),
        ("/dts/collection?nav=sideways", 400),
        ("/dts/collection?colour=red", 400),
        ("/dts/other", 404),
    ],
)
def test_statuses_are_those_of_the_specification(live: httpx.Client, path: str, status: int) -> None:
    response = live.get(path)
    assert response.status_code == status
    assert list(response.json()) == ["error"]
