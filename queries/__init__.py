"""Named SPARQL: one question a file, run by name with typed parameters, which are bound and never pasted into text.

A file begins with its question (in Chinese and Korean too, checks excepted), its parameters and its columns:

    # What does the treatise say under a heading, clause by clause?
    # zh: 一題之下書說何，逐句列之？
    # ko: 책은 한 제목 아래 구절마다 무엇을 말하는가?
    # parameter heading: Heading, e.g. 印綬
    # columns: judgment, name, quote

The type of a parameter is a class of the ontology, or several with `or` between (the value is a label in any language,
a prefixed name or an IRI), or `text`, or `integer`. A parameter is a variable of the query and stands in its SELECT, which is what allows it to be
bound; only the columns named are shown. A question about charts, not doctrine alone, says `# asked of: Chart`, and one
about what a census counts `# asked of: Concurrence`: a store without any has no answer to it. `*-violation.rq` are checks: a row is a failure. `named()` gives them all.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from kg.errors import QueryError

HERE = Path(__file__).parent

_PARAMETER = re.compile(r"# parameter (\w+): (\w+(?: or \w+)*)(?:, e\.g\. (.+))?$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its name (a variable of the query), its type, and an example."""

    name: str
    type: str
    example: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the room: what it answers, what it takes, what its columns are, and its text."""

    name: str
    question: str
    parameters: tuple[Parameter, ...]
    columns: tuple[str, ...]
    text: str
    asked_of: str = ""
    """The class of which a store must have an instance, or else the question is not one for that store."""

    said: tuple[tuple[str, str], ...] = ()
    """The question in other languages, zh and ko."""

    def asks(self, language: str) -> str:
        """The question in a language, in English where it is not said in that.

        >>> get("headings").asks("ko")[:8], get("label-violation").asks("ko")[:12]
        ('두 책에는 어떤', 'Which things')
        """
        return dict(self.said).get(language, self.question)

    @property
    def is_violation(self) -> bool:
        """Whether a row of the result is a failure."""
        return self.name.endswith("-violation")


def read(path: Path) -> NamedQuery:
    """A query file. Raises QueryError where its header is not as it must be."""
    text = path.read_text(encoding="utf-8")
    header = [line for line in text.splitlines() if line.startswith("#")]
    found = [_PARAMETER.match(line) for line in header if line.startswith("# parameter")]
    if not all(found):
        raise QueryError(f"{path.name}: a parameter is written '# parameter NAME: TYPE, e.g. EXAMPLE'")
    parameters = tuple(Parameter(m.group(1), m.group(2), m.group(3) or "") for m in found if m)
    asked_of = [line.removeprefix("# asked of: ") for line in header if line.startswith("# asked of: ")]
    said = [(line[2:4], line[6:]) for line in header if line.startswith(("# zh: ", "# ko: "))]
    columns = [line.removeprefix("# columns: ") for line in header if line.startswith("# columns: ")]
    question = [line[2:] for line in header[:1] if not line.startswith(("# parameter", "# columns"))]
    if len(columns) != 1 or len(asked_of) > 1 or not question:
        raise QueryError(f"{path.name}: must begin with its question, and have one line '# columns: …'")
    return NamedQuery(
        path.stem,
        question[0],
        parameters,
        tuple(re.split(r",\s*", columns[0])),
        text,
        "".join(asked_of),
        tuple(said),
    )


@functools.cache
def named() -> dict[str, NamedQuery]:
    """All queries by name, sorted.

    >>> named()["judgments-of-heading"].columns
    ('judgment', 'name', 'quote', 'gloss', 'reading')
    """
    return {path.stem: read(path) for path in sorted(HERE.glob("*.rq"))}


def get(name: str) -> NamedQuery:
    """A query by name. Raises QueryError naming those that come near."""
    if name in named():
        return named()[name]
    import difflib

    near = difflib.get_close_matches(name, named(), n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else "`sanshi query` lists them"
    raise QueryError(f"there is no query called {name!r}; {hint}")
