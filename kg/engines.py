"""The two engines against each other: the rules as the program runs them, and the same rules run by HermiT over OWL.

Of each batch of charts HermiT is asked whether it infers all that the program finds, and nothing else; only where it says
no is it made to list what it infers, so that what differs can be named. Needs the extra `owl`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyoxigraph import NamedNode

from kg.facts import Chart, facts, quads, term, thing
from kg.findings import Doctrine
from kg.hermit import hermit, infer
from kg.owl import Export
from kg.owl_claims import Claim, infers_all, infers_no_other
from kg.store import value
from ontology import shorten

BATCH = {"liuren": 36, "qimen": 7}
"""How many charts HermiT is given at once: its time grows faster than their number, and each start costs seconds."""
RUNS = 2
"""How many HermiTs run side by side; each may take 2 GB of memory."""
HEADS = frozenset(term(head) for head in ("exhibits", "caveated", "hollow"))
"""What the two engines must agree on."""


def engines(charts: Sequence[Chart]) -> list[str]:
    """Where the program and HermiT, which run the same rules, find different things in some charts.

    Each failure names the rule, the judgment (or caveat), the chart, and the engine that alone finds it.
    """
    doctrine = Doctrine()
    batches = []
    for art in sorted({chart.art for chart in charts}):
        mine = [chart for chart in charts if chart.art == art]
        count = -(-len(mine) // BATCH[art])
        batches += [mine[start::count] for start in range(count)]
    written = [_written(doctrine, batch) for batch in batches]
    with ThreadPoolExecutor(RUNS) as pool, hermit():
        agreed = list(pool.map(_agree, batches, written))
    failures = []
    for batch, (export, claims), same in zip(batches, written, agreed, strict=True):
        if not same:
            with tempfile.TemporaryDirectory() as folder, hermit():
                failures += compared(doctrine, batch[0].art, claims, infer(export.n_triples(), Path(folder)))
    return failures


def _written(doctrine: Doctrine, charts: Sequence[Chart]) -> tuple[Export, set[Claim]]:
    """Charts of an art and its rules as a document, and what the program finds in these charts."""
    export = Export(doctrine.reasoner, charts[0].art)
    claims: set[Claim] = set()
    for chart in charts:
        concluded = doctrine.cast(chart).quads
        export.add_chart(quads(facts(chart)), concluded)
        claims |= {
            (shorten(quad.predicate.value).partition(":")[2], chart.iri, quad.object.value)
            for quad in concluded
            if quad.predicate in HEADS and isinstance(quad.object, NamedNode)
        }
    return export, claims


def _agree(charts: Sequence[Chart], written: tuple[Export, set[Claim]]) -> bool:
    export, claims = written
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder)
        return infers_all(export, claims, workspace) and infers_no_other(
            export, claims, [chart.iri for chart in charts], workspace
        )


def compared(doctrine: Doctrine, art: str, fast: set[Claim], slow: set[Claim]) -> list[str]:
    """What only one of two engines finds: (property, chart, judgment) by the program and by HermiT."""
    by_form = {
        rule.form: rule.name for rule in doctrine.reasoner.rules if rule.form and rule.art in (None, art)
    }
    by_head = {rule.head.predicate: rule.name for rule in doctrine.reasoner.rules if not rule.form}
    failures = []
    for engine, alone in (("the program", fast - slow), ("HermiT", slow - fast)):
        for head, chart, judgment in sorted(alone):
            form = shorten(value(doctrine.store, thing(judgment), "form"))
            rule = (by_form.get(form) if head != "hollow" else None) or by_head.get(head, "no rule of a form")
            failures.append(
                f"{art}: {engine} alone finds {head} {shorten(judgment)} in {shorten(chart)} ({rule})"
            )
    return failures
