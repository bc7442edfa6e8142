"""The entrance of the loaders: files of one format go into a store, all of them or none.

A file that stands in the store already, by its digest, is passed over. One that has changed since is refused,
unless it is to replace what it gave before; then the store goes from one state to the other in one
transaction. A bilingual file is always read again, for it may answer passages that a newer version of Sanshi
has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, Store

from kg.errors import DataError, InputError, MissingInput
from kg.facts import TYPE, term
from kg.store import TREATISES, treatise_files
from loaders import bilingual, charts, kanripo, lines, stored
from loaders.document import (
    FORMAT,
    LABEL,
    LANGUAGE,
    SOURCE,
    Count,
    Document,
    file_node,
    file_quads,
    line_node,
    quads,
    work_node,
)
from loaders.source import Source, StructureError, Tick
from ontology import expand, shorten


def _tei(source: Source, tick: Tick | None) -> Document:
    from loaders import tei

    return tei.read(source, tick)


READERS: Mapping[str, Callable[[Source, Tick | None], Document]] = {
    "bilingual": bilingual.read,
    "tei": _tei,
    "kanripo": kanripo.read,
    "lines": lines.read,
}
FORMATS = (*READERS, "chart")
TITLED = ("tei", "kanripo")
"""The formats whose files state the title of their work."""


@dataclass(slots=True)
class Loaded:
    """What became of a file.

    `status` is `new`, `unchanged`, `replaced`, or `updated`: the same file, but other passages that it
    answers.
    """

    name: str
    status: str
    iri: str
    count: Count = field(default_factory=Count)
    remarks: list[str] = field(default_factory=list)


def load(
    store: Store,
    paths: Path | str | Sequence[Path | str],
    *,
    format: str,
    work: str | None = None,
    title: str | None = None,
    title_lang: str = "zh-hant",
    lang: str = "lzh-hant",
    replace: bool = False,
    tick: Tick | None = None,
) -> list[Loaded]:
    """Load files of one format into a store, all or none, and say what became of each.

    `work` is the slug of the work that the files belong to; a chart has none. A work that is not in the store
    yet needs a title, from `title` or from the files. With the slug of a treatise that ships with Sanshi a
    bilingual text only gives its translation: what no passage answers is named in the remarks. `lang` is the
    language of the text where the file does not say, `title_lang` that of the title. `tick` is told the bytes
    read.

    Raises InputError, MissingInput, DataError (with file, line and column) and StoreError; then nothing is
    added.

    >>> from tempfile import TemporaryDirectory
    >>> store = Store()
    >>> with TemporaryDirectory() as room:
    ...     file = Path(room) / "sample.txt"
    ...     _ = file.write_text("001-1a\\t懸胎 三傳亥寅巳\\n001-1a\\t曰順懸胎\\n", encoding="utf-8")
    ...     first = load(store, file, format="lines", work="sample", title="懸胎")
    ...     again = load(store, file, format="lines", work="sample")
    >>> first[0].count.lines, again[0].status
    (2, 'unchanged')
    """
    if format not in FORMATS:
        raise InputError("format", format, f"one of {', '.join(FORMATS)}")
    for name, tag in (("lang", lang), ("title-lang", title_lang)):
        _check_language(name, tag)
    sources = [Source(path) for path in ([paths] if isinstance(paths, Path | str) else paths)]
    names = [source.name for source in sources]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError("file", twice, "files of different names")
    if format == "chart":
        if work is not None or title is not None:
            raise InputError(
                "work", work or title, "neither work nor title with a chart, which is a node itself"
            )
        return _load_charts(store, sources, tick)
    if work is None:
        raise MissingInput(f"the format {format}", "a work (--work SLUG)")
    node = work_node(work)
    shipped = any(path.parent == TREATISES / work for path in treatise_files())
    if shipped and format != "bilingual":
        raise InputError("work", work, f"a slug of your own, for {work} is a treatise that ships with Sanshi")
    read = partial(bilingual.read, treatise=work) if shipped else READERS[format]
    titled = None if shipped else _Title(store, node, title, title_lang.lower(), format in TITLED)
    return _Job(store, node, format, lang.lower(), read, titled, tick).run(sources, replace)


def _check_language(name: str, tag: str) -> None:
    try:
        Literal("", language=tag)
    except ValueError:
        raise InputError(name, tag, "a language tag such as lzh-hant, zh-hans, ko or en") from None


def _load_charts(store: Store, sources: list[Source], tick: Tick | None) -> list[Loaded]:
    """Add charts with what the doctrine finds in them. The IRI of a chart is its inputs': none replaces another."""
    from kg.casting_graph import triples
    from kg.findings import shared
    from kg.topics import judged

    done: list[Loaded] = []
    added: set[Quad] = set()
    for source in sources:
        chart = charts.read_chart(source, tick)
        new = {quad for triple in triples(judged(shared(), chart)) if (quad := Quad(*triple)) not in store}
        added |= new
        done.append(Loaded(source.name, "new" if new else "unchanged", chart.iri))
    stored.add(store, added, 0)
    return done


class _Title:
    """The title of a work that is the user's own: given, in the store, or stated by a file.

    Raises InputError where the work has another title in that language, MissingInput where it can have none.
    """

    def __init__(self, store: Store, work: NamedNode, given: str | None, language: str, stated: bool) -> None:
        self.work, self.title, self.language = work, given, language
        labels = [quad.object for quad in store.quads_for_pattern(work, LABEL, None)]
        known = [label.value for label in labels if isinstance(label, Literal) and label.language == language]
        if given is not None and known and given not in known:
            raise InputError("title", given, f"{known[0]}, the title that {shorten(work.value)} has")
        self.missing = given is None and not labels
        if self.missing and not stated:
            raise MissingInput(f"the new work {shorten(work.value)}", "a title (--title)")

    def offer(self, document: Document) -> None:
        """Take the title from a document, where one is wanted."""
        if self.missing and document.titles:
            language = next(
                (tag for tag in (self.language, "", *document.titles) if tag in document.titles), ""
            )
            self.title, self.missing = document.titles[language], False
            self.language = language or self.language

    def quads(self) -> Iterator[Quad]:
        """The triples of the work, once its files have been read."""
        if self.missing:
            raise MissingInput(
                f"the new work {shorten(self.work.value)}", "a title (--title), for no file states one"
            )
        if self.title is not None:
            yield Quad(self.work, TYPE, NamedNode(expand("lrmoo:F1_Work")))
            yield Quad(self.work, TYPE, term("Text"))
            yield Quad(self.work, LABEL, Literal(self.title, language=self.language))


@dataclass(slots=True)
class _Job:
    """A load of texts: where to, and how they are read."""

    store: Store
    work: NamedNode
    format: str
    lang: str
    read: Callable[[Source, Tick | None], Document]
    titled: _Title | None
    tick: Tick | None
    claimed: dict[str, Source] = field(default_factory=dict)

    def run(self, sources: list[Source], replace: bool) -> list[Loaded]:
        """Load the files."""
        done = [self.seen(source, replace) for source in sources]
        fresh = [
            (source, loaded) for source, loaded in zip(sources, done, strict=True) if loaded.status == "new"
        ]
        removed: set[Quad] = set()
        added: set[Quad] = set()
        for source, loaded in zip(sources, done, strict=True):
            if loaded.status in ("replaced", "updated"):
                file = self.file(source)
                before, after = stored.asserted(self.store, file), set(self.triples(source, loaded))
                if before == after:
                    loaded.status = "unchanged"
                removed.update(
                    quad for quad in before - after if not stored.elsewhere(self.store, quad, file)
                )
                added |= after - before
            elif loaded.status == "unchanged" and self.tick is not None:
                self.tick(source.size)
        news = chain(
            added,
            chain.from_iterable(self.triples(source, loaded) for source, loaded in fresh),
            () if self.titled is None else self.titled.quads(),
        )
        if removed:
            stored.change(self.store, removed, set(news))
        else:
            stored.add(self.store, news, sum(source.size for source, _ in fresh))
        return done

    def file(self, source: Source) -> NamedNode:
        """The node of a file."""
        return file_node(self.work, source.name)

    def seen(self, source: Source, replace: bool) -> Loaded:
        """How a file stands to the store. Raises DataError for one that has changed and is not to replace."""
        file = self.file(source)
        for other in stored.files(self.store, self.work):
            if other != file and source.digest in stored.objects(self.store, other, term("digest")):
                name = stored.objects(self.store, other, SOURCE)[0]
                return Loaded(
                    source.name, "unchanged", other.value, remarks=[f"{source.name}: loaded as {name}"]
                )
        before = stored.objects(self.store, file, term("digest"))
        if not before:
            return Loaded(source.name, "new", file.value)
        how = [*stored.objects(self.store, file, FORMAT), *stored.objects(self.store, file, LANGUAGE)]
        if before == [source.digest] and how == [self.format, self.lang]:
            return Loaded(source.name, "updated" if self.format == "bilingual" else "unchanged", file.value)
        if not replace:
            what = (
                "another state of this file"
                if before != [source.digest]
                else f"this file as {' in '.join(how)}"
            )
            message = (
                f"{source.path}: {shorten(self.work.value)} has {what}; to put this in its place, replace it"
            )
            raise DataError(f"{message} (--replace)")
        return Loaded(source.name, "replaced", file.value)

    def triples(self, source: Source, loaded: Loaded) -> Iterator[Quad]:
        """The triples of a file, as it is read."""
        document = self.read(source, self.tick)
        yield from quads(document, source, self.work, self.lang, loaded.count, self.claim)
        yield from file_quads(document, source, self.work, self.format, self.lang)
        loaded.remarks += document.remarks
        if self.titled is not None:
            self.titled.offer(document)

    def claim(self, source: Source, locator: str, line: int) -> None:
        """Raises StructureError where another file of the work has a locator, since lines are named by it."""
        first = self.claimed.setdefault(locator, source)
        other = first.name if first is not source else None
        if other is None:
            owner = stored.owner(self.store, line_node(self.work, locator, 1))
            if owner is not None and owner != self.file(source):
                other = stored.objects(self.store, owner, SOURCE)[0]
        if other is not None:
            message = f"the locator {locator} stands in another file of {shorten(self.work.value)}: {other}"
            raise StructureError(source.path, message, line)
