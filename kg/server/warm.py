"""The parent of all workers, warmed: what each of them would otherwise do first is done when this is imported.

The process that forks the workers imports this and nothing else does. A worker then shares the doctrine with its
parent, page for page, and is there within some hundredths of a second, however often one is stopped and replaced.
"""

from __future__ import annotations

import gc
import importlib

from kg.chart_json import casting_json
from kg.explain import LANGUAGES
from kg.facts import Chart
from kg.findings import shared
from kg.liuren_chart import cast as cast_liuren
from kg.qimen_chart import cast as cast_qimen
from kg.server.entities import void_quads

importlib.import_module("kg.server.app")  # with it, whatever jobs there are
_first: list[Chart] = [
    cast_liuren(instant="2025-02-19T23:42", tz="Asia/Shanghai"),
    cast_qimen(instant="2026-02-18T22:59", tz="Asia/Shanghai", birth="1980"),
]
for _chart in _first:
    for _language in LANGUAGES:
        casting_json(shared().cast(_chart), _language)
void_quads(shared().store)  # of the doctrine; a collection is counted by who is asked for it first
gc.collect()
gc.freeze()  # what is there now lives as long as the process; to look at it again would copy its pages
