"""What a census counts while its parts are written: charts with each sequence of transmissions, each heading, each two.

To ask a store of all charts in how many of them two patterns stand together would go through every finding. So each part
is written with its counts beside it, and the census with their sums.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path

from kg.alike import Verdict
from kg.cosmos import names
from kg.facts import XSD, Chart
from kg.liuren_chart import LiurenChart
from ontology import BASE, THINGS, expand, shorten

Counts = Counter[tuple[str, ...]]
"""Charts that show two headings, in order, or one where it stands with itself; and charts that have three transmissions,
which are named by three branches.
"""


class Tally:
    """Counts over charts, kept as a set of bits for each heading: one for each chart that shows it."""

    def __init__(self, headings: Mapping[str, str]) -> None:
        self._headings = headings
        self._charts = 0
        self._shown: dict[str, int] = {}
        self._sequences: Counts = Counter()

    def add(self, chart: Chart, verdict: Verdict) -> None:
        """Count a chart."""
        bit = 1 << self._charts
        self._charts += 1
        for heading in {self._headings[judgment] for judgment in verdict.exhibits}:
            self._shown[heading] = self._shown.get(heading, 0) | bit
        if isinstance(chart, LiurenChart):
            self._sequences[tuple(names("branch")[number] for number in chart.plate.transmissions)] += 1

    def counts(self) -> Counts:
        """The counts over all charts.

        >>> from kg.liuren_chart import cast_pillars
        >>> tally = Tally({"j": "http://example.org/a", "k": "http://example.org/b"})
        >>> for shown in ({"j", "k"}, {"k"}, set()):
        ...     tally.add(cast_pillars("庚申", "子", "亥"), Verdict(shown))
        >>> [(one[-1], other[-1], charts) for (one, other, *third), charts in tally.counts().items() if not third]
        [('a', 'a', 1), ('a', 'b', 1), ('b', 'b', 2)]
        """
        shown = dict(sorted(self._shown.items()))
        pairs = combinations_with_replacement(shown, 2)
        both: Counts = Counter(
            {(one, other): (shown[one] & shown[other]).bit_count() for one, other in pairs}
        )
        return Counter({**self._sequences, **both})


def beside(part: Path) -> Path:
    """Where the counts of a part are kept."""
    return part.with_suffix(".counts.json")


def keep(counts: Counts, path: Path) -> None:
    """Write counts to a file."""
    path.write_text(json.dumps([[*key, charts] for key, charts in counts.items()]), encoding="utf-8")


def summed(paths: Iterable[Path]) -> Counts:
    """The sum of the counts in some files."""
    total: Counts = Counter()
    for path in paths:
        total.update({tuple(key): n for *key, n in json.loads(path.read_text(encoding="utf-8"))})
    return total


def lines(art: str, counts: Counts, charts: int, order: Sequence[str]) -> Iterator[str]:
    """What a census says of its sequences and headings, as N-Quads.

    Of two headings the one is that which comes first in `order`. Their lift is the share of the charts with the one that
    have the other, over the share of all charts that do.
    """
    for branches in sorted(key for key in counts if len(key) == 3):
        node = f"<{THINGS}sequence/{'-'.join(name.rpartition('-')[2] for name in branches)}>"
        yield f"{node} <{expand('rdf:type')}> <{expand('shi:Sequence')}> .\n"
        for place, branch in zip(("first", "second", "third"), branches, strict=True):
            yield f"{node} <{expand(f'shi:{place}')}> <{expand(branch)}> .\n"
        yield _charts(node, counts[branches])
    headings = [shown for shown in order if (shown, shown) in counts]
    for one, other in combinations(headings, 2):
        both = counts[min(one, other), max(one, other)]
        these, those = counts[one, one], counts[other, other]
        node = (
            f"<{BASE}census/{art}/{'/'.join(shorten(heading).replace(':', '-') for heading in (one, other))}>"
        )
        yield f"{node} <{expand('rdf:type')}> <{expand('shi:Concurrence')}> .\n"
        yield f"{node} <{expand('shi:one')}> <{one}> .\n"
        yield f"{node} <{expand('shi:other')}> <{other}> .\n"
        yield _charts(node, both)
        yield _charts(node, these, "WithOne")
        yield _charts(node, those, "WithOther")
        yield f'{node} <{expand("shi:lift")}> "{_number(Fraction(both * charts, these * those))}"^^<{XSD}decimal> .\n'


def _charts(node: str, number: int, which: str = "") -> str:
    return f'{node} <{expand("shi:charts" + which)}> "{number}"^^<{XSD}integer> .\n'


def _number(value: Fraction) -> str:
    """A number to three places without zeros at its end, as every store gives it back.

    >>> _number(Fraction(3, 2)), _number(Fraction(0))
    ('1.5', '0')
    """
    return f"{float(value):.3f}".rstrip("0").rstrip(".")
