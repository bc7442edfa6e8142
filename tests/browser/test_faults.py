"""No page of any kind has a serious fault of accessibility, is wider than a phone, or needs a script to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Visit = Callable[..., "Page"]

LIUREN = "/chart/liuren?instant=2025-02-19T23:42&tz=Asia/Shanghai"
QIMEN = "/chart/qimen?instant=2026-02-18T22:59&tz=Asia/Shanghai&birth=1980"
PAGES = {
    "home": "/",
    "form": "/chart/qimen",
    "refused": "/chart/liuren?day=庚申",
    "liuren": LIUREN,
    "qimen": QIMEN,
    "library": "/read",
    "contents": "/read/qimen-miji",
    "natal": "/chart/qimen?instant=2026-02-18T22:59&tz=Asia/Shanghai&birth=1980-05-05T10:00",
    "passage": "/read/liuren-jingwei/3.1.2",
    "apparatus": "/read/liuren-jingwei/3.1.2?mode=apparatus",
    "browse": "/browse",
    "headings": "/browse/headings",
    "forms": "/browse/forms",
    "symbols": "/browse/symbols",
    "schools": "/browse/schools",
    "matters": "/browse/matters",
    "books": "/browse/books",
    "search": "/find?q=螣蛇",
    "ask": "/ask",
    "answer": "/ask/judgments-of-heading?heading=印綬",
    "graph": "/ask/construct-heading?heading=印綬",
    "editor": "/ask?query=SELECT ?s ?o { ?s shi:authority ?o }",
    "pattern": "/id/pattern/xuantai",
    "rule-form": "/id/form/initial-to-stem",
    "judgment": "/id/judgment/yinshou-each-own",
    "emendation": "/id/emendation/xuantai-1-1",
    "passage-iri": "/id/passage/xuantai-2",
    "branch": "/id/branch/01-zi",
    "chart-iri": "/id/chart/liuren-57-gengshen-h.zi-g.hai",
    "vocabulary": "/ontology",
    "dataset": "/dataset",
    "mappings": "/mappings/ctext",
    "missing": "/id/branch/13-mao.html",
}


@pytest.mark.parametrize("name", PAGES)
def test_no_serious_fault_in_light_or_dark_and_none_wider_than_a_phone(visit: Visit, name: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    path, axe = PAGES[name], Axe()
    page = visit(path + ("&" if "?" in path else "?") + "lang=ko")
    # what is folded is judged too
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page).response["violations"]
        faults = [
            (scheme, fault["id"], node["target"], node["html"][:120])
            for fault in found
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]
        assert not faults
    page.set_viewport_size({"width": 360, "height": 800})
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@pytest.mark.parametrize("name", PAGES)
def test_every_page_says_the_same_without_scripts(visit: Visit, name: str) -> None:
    """All but the editor, which without scripts is a plain text box with the same query."""
    path = PAGES[name] + ("&" if "?" in PAGES[name] else "?") + "lang=ko"

    def told(script: bool) -> tuple[str, list[str]]:
        page = visit(path, script=script)
        if page.locator("#query").count():
            page.locator("main section.card").evaluate("it => it.remove()")
        text = " ".join(page.locator("main").text_content().split())  # type: ignore[union-attr]
        links = page.locator("main a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        return text, links

    with_scripts, without = told(True), told(False)
    assert len(without[0]) > 40
    assert without == with_scripts
