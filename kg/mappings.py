"""Mappings to other catalogues: SSSOM TSV read strictly, and said as triples.

The tables are in `ontology/mappings/*.sssom.tsv`. The reader keeps to the SSSOM/TSV specification (1.0 and
1.1, the metadata embedded): a YAML header behind `#`, then a table whose identifiers are prefixed names. A
mapping becomes its own triple and an `owl:Axiom` that carries what is known of it, as SSSOM/RDF has it; the
axioms get IRIs, since blank nodes do not travel between stores.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml
from pyoxigraph import Literal, NamedNode, Triple

from kg.errors import DataError
from kg.facts import TYPE, XSD
from ontology import HERE, expand

MAPPINGS = HERE / "mappings"
SSSOM = "https://w3id.org/sssom/"
NO_TERM = SSSOM + "NoTermFound"

_BUILT_IN = {
    "linkml": "https://w3id.org/linkml/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "semapv": "https://w3id.org/semapv/vocab/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sssom": SSSOM,
    "xsd": XSD,
}
_FORBIDDEN = (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken, yaml.DirectiveToken)
_REQUIRED = ("subject_id", "predicate_id", "object_id", "mapping_justification")
_ENTITY = frozenset(
    """record_id subject_id predicate_id object_id mapping_justification author_id reviewer_id creator_id
    subject_source object_source mapping_source mapping_tool_id curation_rule subject_match_field
    object_match_field subject_preprocessing object_preprocessing issue_tracker_item""".split()
)
_URI = frozenset("license mapping_provider see_also issue_tracker mapping_set_source".split())
_DATE = frozenset("mapping_date publication_date review_date".split())
_DOUBLE = frozenset("confidence similarity_score mapping_set_confidence".split())
_TYPE_OF = frozenset("subject_type predicate_type object_type".split())
_TEXT = frozenset(
    """subject_label subject_category subject_source_version predicate_label predicate_modifier
    object_label object_category object_source_version author_label reviewer_label creator_label
    mapping_cardinality cardinality_scope mapping_tool mapping_tool_version curation_rule_text match_string
    similarity_measure other comment""".split()
)
_SET_TEXT = frozenset("sssom_version mapping_set_version mapping_set_title mapping_set_description".split())
_MANY = frozenset(
    """author_id author_label reviewer_id reviewer_label creator_id creator_label subject_match_field
    object_match_field match_string subject_preprocessing object_preprocessing curation_rule
    curation_rule_text see_also cardinality_scope mapping_set_source""".split()
)
_PROPAGATED = _TYPE_OF | frozenset(
    """subject_source subject_source_version object_source object_source_version mapping_provider
    cardinality_scope mapping_tool mapping_tool_id mapping_tool_version mapping_date subject_match_field
    object_match_field subject_preprocessing object_preprocessing similarity_measure curation_rule
    curation_rule_text""".split()
)
_PROPERTY = {
    "subject_id": "owl:annotatedSource",
    "predicate_id": "owl:annotatedProperty",
    "object_id": "owl:annotatedTarget",
    "author_id": "http://purl.org/pav/authoredBy",
    "comment": "rdfs:comment",
    "creator_id": "dcterms:creator",
    "license": "dcterms:license",
    "mapping_date": "dcterms:created",
    "mapping_set_description": "dcterms:description",
    "mapping_set_source": "prov:wasDerivedFrom",
    "mapping_set_title": "dcterms:title",
    "mapping_set_version": "owl:versionInfo",
    "publication_date": "dcterms:issued",
    "see_also": "rdfs:seeAlso",
}
"""Slots that have a property of their own in the schema of SSSOM; the others are in its namespace."""


@dataclass(frozen=True, slots=True)
class MappingSet:
    """A table of mappings: its IRI, what holds of the whole, each mapping by slot, its extensions by slot.

    Identifiers are full IRIs; every slot has a tuple of values. An extension has a property and a type.
    """

    iri: str
    slots: Mapping[str, tuple[str, ...]]
    mappings: tuple[Mapping[str, tuple[str, ...]], ...]
    extensions: Mapping[str, tuple[str, str]]


class _Reader:
    """One file: the prefixes it declares, and where in it one is."""

    def __init__(self, path: Path) -> None:
        self.name, self.line = path.name, 1
        self.prefixes = dict(_BUILT_IN)
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fault(f"not UTF-8 at byte {error.start}") from None
        if text.startswith("\ufeff"):
            raise self.fault("must not begin with a byte order mark")
        self.lines = io.StringIO(text, newline="").readlines()
        self.height = sum(1 for _ in takewhile(lambda line: line.startswith("#"), self.lines))

    def fault(self, message: str) -> DataError:
        return DataError(f"{self.name}, line {self.line}: {message}")

    def header(self) -> dict[str, Any]:
        """The metadata block, its prefixes taken in."""
        block = self.lines[: self.height]
        first = block[0][1:] if block else ""
        indent = len(first) - len(first.lstrip(" "))
        for self.line, line in enumerate(block, 1):
            if line[1 : 1 + indent].strip():
                raise self.fault(f"each line of the header must have {indent} blanks after '#'")
        text = "".join(line[1 + indent :] for line in block)
        try:
            for token in yaml.scan(text):
                if isinstance(token, _FORBIDDEN):
                    self.line = token.start_mark.line + 1
                    raise self.fault("anchors, aliases, tags and directives are not allowed in the header")
            found = yaml.load(text, Loader=yaml.BaseLoader)
        except yaml.MarkedYAMLError as error:
            self.line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise self.fault(f"the header is not YAML: {error.problem}") from None
        self.line = 1
        if not isinstance(found, dict) or not isinstance(found.get("curie_map", {}), dict):
            raise self.fault("must begin with a header of '#' lines that has a curie_map")
        for prefix, namespace in found.pop("curie_map", {}).items():
            if self.prefixes.setdefault(prefix, namespace) != namespace:
                raise self.fault(f"prefix {prefix} must stand for {_BUILT_IN[prefix]}")
        for slot in ("mapping_set_id", "license"):
            if not isinstance(found.get(slot), str) or "://" not in found[slot]:
                raise self.fault(f"the header needs {slot}, an IRI")
        return found

    def iri(self, slot: str, name: str) -> str:
        prefix, colon, local = name.partition(":")
        if not colon or local.startswith("//"):
            raise self.fault(f"{slot}: {name!r} must be a prefixed name such as skos:exactMatch")
        if prefix not in self.prefixes:
            raise self.fault(f"{slot}: prefix {prefix} is not in the curie_map")
        return self.prefixes[prefix] + local

    def extensions(self, defined: object) -> dict[str, tuple[str, str]]:
        """The extension slots that are well defined; the specification has the others ignored."""
        items = [item for item in defined if isinstance(item, dict)] if isinstance(defined, list) else []
        found = {}
        for item in items:
            if "slot_name" in item and set(item) <= {"slot_name", "property", "type_hint"}:
                name = item["slot_name"]
                iri = self.iri("property", item.get("property", "sssom:" + name))
                found[name] = iri, self.iri("type_hint", item.get("type_hint", "xsd:string"))
        return found

    def values(self, slot: str, given: object) -> tuple[str, ...]:
        """The values of a slot as strings, identifiers expanded, numbers checked."""
        values = [str(v) for v in given] if isinstance(given, list) else [str(given)]
        for value in values:
            if slot in _DOUBLE and not _is_share(value):
                raise self.fault(f"{slot}: {value!r} must be a number from 0 to 1")
            if slot in _URI and ":" not in value:
                raise self.fault(f"{slot}: {value!r} must be a full IRI")
            if slot == "predicate_modifier" and value != "Not":
                raise self.fault(f"predicate_modifier: {value!r} must be Not")
        return tuple(self.iri(slot, value) for value in values) if slot in _ENTITY else tuple(values)

    def rows(self) -> Iterator[dict[str, str]]:
        """The rows of the table by column, empty cells left out."""
        table = csv.reader(self.lines[self.height :], delimiter="\t", strict=True)
        columns: list[str] = []
        try:
            for row in table:
                self.line = self.height + table.line_num
                if not columns:
                    columns = row
                    if missing := [slot for slot in _REQUIRED if slot not in columns]:
                        raise self.fault(f"the table needs the columns {', '.join(missing)}")
                    if len(set(columns)) < len(columns):
                        raise self.fault("two columns have one name")
                elif len(row) != len(columns):
                    raise self.fault(f"{len(row)} cells where the table has {len(columns)} columns")
                else:
                    yield {column: cell for column, cell in zip(columns, row, strict=True) if cell}
        except csv.Error as error:
            self.line = self.height + table.line_num
            raise self.fault(f"not a table: {error}") from None
        if not columns:
            raise self.fault("has no table")


def read(path: Path) -> MappingSet:
    """A file of SSSOM TSV. Raises DataError with file and line where it breaks the specification.

    >>> found = read(MAPPINGS / "ctext.sssom.tsv")
    >>> found.mappings[0]["object_id"]
    ('https://ctext.org/hanfeizi',)
    """
    reader = _Reader(path)
    header = reader.header()
    extensions = reader.extensions(header.pop("extension_definitions", []))
    known = _ENTITY | _URI | _DATE | _DOUBLE | _TYPE_OF | _TEXT | set(extensions)
    of_set = {slot: given for slot, given in header.items() if slot in known | _SET_TEXT and given}
    slots = {slot: reader.values(slot, given) for slot, given in of_set.items()}
    mappings: list[dict[str, tuple[str, ...]]] = []
    for row in reader.rows():
        if missing := [slot for slot in _REQUIRED if slot not in row]:
            raise reader.fault(f"a mapping needs {', '.join(missing)}")
        cells = {
            slot: cell.split("|") if slot in _MANY else cell for slot, cell in row.items() if slot in known
        }
        mappings.append({slot: reader.values(slot, cell) for slot, cell in cells.items()})
    for slot in sorted(_PROPAGATED & set(slots)):
        if not any(slot in mapping for mapping in mappings):
            shared = slots.pop(slot)
            mappings = [{**mapping, slot: shared} for mapping in mappings]
    return MappingSet(header["mapping_set_id"], slots, tuple(mappings), extensions)


def triples(found: MappingSet) -> Iterator[Triple]:
    """A set as triples: an axiom a mapping, and the mapping itself unless negated or without a term."""
    whole = NamedNode(found.iri)
    yield Triple(whole, TYPE, NamedNode(SSSOM + "MappingSet"))
    for slot, values in found.slots.items():
        yield from _say(whole, slot, values, found)
    seen: Counter[str] = Counter()
    for mapping in found.mappings:
        subject, predicate, target = (NamedNode(mapping[slot][0]) for slot in _REQUIRED[:3])
        negated = "predicate_modifier" in mapping
        if not negated and NO_TERM not in (subject.value, target.value):
            yield Triple(subject, predicate, target)
        said = "\t".join([subject.value, "Not" * negated + predicate.value, target.value])
        seen[said] += 1
        digest = hashlib.sha256(f"{said}\t{seen[said]}".encode()).hexdigest()[:12]
        axiom = NamedNode(mapping["record_id"][0] if "record_id" in mapping else f"{found.iri}#{digest}")
        yield Triple(whole, NamedNode(SSSOM + "mappings"), axiom)
        yield Triple(axiom, TYPE, NamedNode(_BUILT_IN["owl"] + "Axiom"))
        for slot, values in mapping.items():
            if slot != "record_id":
                yield from _say(axiom, slot, values, found)


def mapping_triples(paths: Iterable[Path] | None = None) -> list[Triple]:
    """The mappings of some files, or of all that ship with the ontology, as triples. Raises DataError.

    >>> from ontology import shorten
    >>> [shorten(t.subject.value) for t in mapping_triples() if t.object.value.endswith("Q1190890")][:1]
    ['pair:01-jiazi']
    """
    files = sorted(MAPPINGS.glob("*.sssom.tsv")) if paths is None else paths
    return [triple for path in files for triple in triples(read(path))]


def _say(node: NamedNode, slot: str, values: tuple[str, ...], found: MappingSet) -> Iterator[Triple]:
    iri, kind = found.extensions.get(slot, (expand(_PROPERTY.get(slot, SSSOM + slot)), XSD + "string"))
    if slot in _DOUBLE | _DATE:
        kind = XSD + ("double" if slot in _DOUBLE else "date")
    for value in values:
        said: NamedNode | Literal = Literal(value, datatype=NamedNode(kind))
        if slot in _ENTITY | _URI or kind == _BUILT_IN["linkml"] + "uriOrCurie":
            said = NamedNode(value)
        elif slot in _TYPE_OF:
            said = NamedNode(_entity_type(value))
        elif slot == "predicate_modifier":
            said = NamedNode(SSSOM + "NegatedPredicate")
        elif slot == "sssom_version":
            said = NamedNode(SSSOM + "version" + value)
        yield Triple(node, NamedNode(iri), said)


def _entity_type(name: str) -> str:
    """The IRI of a kind of entity in the schema of SSSOM: owl named individual is owl:NamedIndividual."""
    prefix, *words = name.split()
    if prefix not in _BUILT_IN:
        prefix, words = "sssom", [prefix, *words]
    return _BUILT_IN[prefix] + "".join(word.title() for word in words)


def _is_share(value: str) -> bool:
    try:
        return 0 <= float(value) <= 1
    except ValueError:
        return False
