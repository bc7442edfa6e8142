"""Rules as data: read whole or refused by name, ordered so that nothing is asked before it is derived."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, Store

from kg.cosmos import table
from kg.errors import DataError
from kg.facts import term
from kg.findings import Doctrine
from kg.reasoner import Reasoner
from kg.rules import STRATA, Atom, Rule, parse_atoms, read_rules, select, where
from kg.store import instances, values
from ontology import prefixes, shorten

DECLARED = "shi:step a <urn:P> . shi:reach a <urn:P> . shi:Place a <urn:C> . branch:01-zi a shi:Place ."


def store_of(text: str) -> Store:
    """A store of some Turtle, with the prefixes of the ontology."""
    store = Store()
    header = "".join(f"@prefix {name}: <{iri}> ." for name, iri in prefixes().items())
    store.load((header + text).encode(), format=RdfFormat.TURTLE)
    return store


def rule(body: str, head: str, name: str = "one", stratum: str = "shi:derive", more: str = "") -> str:
    return (
        f'rule:{name} a shi:Rule ; shi:stratum {stratum} ; shi:body "{body}" ; shi:head "{head}" {more} .\n'
    )


# The syntax


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no atoms"),
        ("initial(?c, ?t", "cannot read an atom at 'initial(?c, ?t'"),
        ("initial ?c ?t", "cannot read an atom"),
        ("initial(?c, ?t) branch(?t, ?b)", "cannot read an atom"),
        ("initial(?c, ?t), ", "no atom after the last comma"),
        ("initial()", "cannot read an atom"),
        ("initial(?c, ?t, ?u)", "cannot read an atom"),
        ("initial(?c, 寅)", "'寅' is neither a ?variable, a RELATION nor a prefixed name"),
        ("initial(?c, t)", "'t' is neither"),
        ("initial(?C, ?t)", "'?C' is neither"),
        ("not initial(?c, ?t)", "cannot read an atom"),
        ("initial(?c, <urn:t>)", "'<urn:t>' is neither"),
    ],
)
def test_an_error_of_the_parser_names_the_rule(text: str, reason: str) -> None:
    with pytest.raises(DataError) as error:
        parse_atoms(text, "rule:here")
    assert str(error.value).startswith("rule:here: ")
    assert reason in str(error.value)


def test_the_three_kinds_of_atom() -> None:
    text = (
        "Place(?t), branch(?t, branch:01-zi), RELATION(?a, ?b), relation(?j, RELATION), differentFrom(?a, ?b)"
    )
    atoms = parse_atoms(text, "rule:here")
    assert [atom.is_variable for atom in atoms] == [False, False, True, False, False]
    assert [atom.variables() for atom in atoms] == [
        ["t"],
        ["t"],
        ["RELATION", "a", "b"],
        ["j", "RELATION"],
        ["a", "b"],
    ]
    assert atoms[1] == Atom("branch", ("?t", "branch:01-zi"))


names = st.from_regex(r"[a-z][a-zA-Z0-9]{0,6}|[A-Z][a-z]{1,6}", fullmatch=True)
arguments = st.from_regex(r"\?[a-z][a-z0-9]{0,3}|[A-Z]{2,8}|[a-z]{1,6}:[a-z0-9-]{1,9}", fullmatch=True)
atoms = st.builds(Atom, names, st.lists(arguments, min_size=1, max_size=2).map(tuple))


@given(st.lists(atoms, min_size=1, max_size=6), st.sampled_from((",", ", ", " ,  ")))
def test_what_is_written_is_read(body: list[Atom], comma: str) -> None:
    text = comma.join(f"{atom.predicate}({comma.join(atom.arguments)})" for atom in body)
    assert list(parse_atoms(text, "rule:here")) == body


# Reading


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (rule("stride(?a, ?b)", "reach(?a, ?b)"), "rule:one: shi:stride is not declared"),
        (rule("step(?a, ?b)", "attain(?a, ?b)"), "rule:one: shi:attain is not declared"),
        (rule("step(?a, branch:13-xx)", "reach(?a, ?a)"), "rule:one: branch:13-xx is not declared"),
        (rule("step(?a, nowhere:x)", "reach(?a, ?a)"), "rule:one: nowhere:x is not declared"),
        (rule("step(?a, ?b)", "reach(?a, ?z)"), "rule:one: no atom of the body binds z of the head"),
        (rule("step(?a, ?b)", "reach(?a, ?j)"), "no atom of the body binds j"),
        (rule("step(?a, ?b)", "reach(?a, ?b), step(?a, ?b)"), "rule:one: a head is one atom"),
        (rule("step(?a ?b)", "reach(?a, ?b)"), "rule:one: "),
        (
            rule("step(?a, ?b)", "reach(?a, ?b)", stratum="shi:guess"),
            "shi:guess is no stratum; give one of cosmic",
        ),
        (
            'rule:one a shi:Rule ; shi:body "step(?a, ?b)" ; shi:head "reach(?a, ?b)" .',
            "rule:one: a rule needs shi:stratum",
        ),
        (
            'rule:one a shi:Rule ; shi:stratum shi:derive ; shi:head "reach(?a, ?b)" .',
            "rule:one: a rule needs shi:stratum",
        ),
        (
            rule("step(?a, ?b)", "reach(?a, ?b)") + rule("step(?b, ?a)", "reach(?a, ?b)"),
            "rule:one: two rules have this name",
        ),
        (
            rule("reach(?a, ?b), step(?b, ?d)", "reach(?a, ?d)"),
            "rule:one: only cosmic rules may need themselves",
        ),
        (rule("step(?a, ?b)", "reach(?a, ?b)") + rule("reach(?a, ?b)", "step(?a, ?b)", "two"), "rule:two"),
    ],
)
def test_a_rule_that_cannot_hold_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(DataError) as error:
        read_rules(store_of(DECLARED + text))
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


def test_two_rules_called_horse_hid_each_other(doctrine: Doctrine) -> None:
    """Once the cosmic rule and that of the form shared a name, and 前程 was never found."""
    by_name = {r.name: r for r in doctrine.reasoner.rules}
    assert len(by_name) == len(doctrine.reasoner.rules)
    assert by_name["rule:post-horse"].head.predicate == "horse"
    assert by_name["rule:horse-initial"].form == "form:horse"


def test_a_rule_of_a_form_may_leave_its_judgment_to_the_compiler() -> None:
    text = rule("step(?c, ?b)", "reach(?c, ?j)", more="; shi:form form:x", stratum="shi:judge")
    (read,) = read_rules(store_of(DECLARED + text))
    assert read.form == "form:x"
    assert "?j shi:form form:x" in where(read)


# Order


def test_what_a_derive_rule_needs_is_derived_before(doctrine: Doctrine) -> None:
    rules = doctrine.reasoner.of("derive")
    for place, later in enumerate(rules):
        needed = {atom.predicate for atom in later.body}
        late = [r.name for r in rules[place:] if r.head.predicate in needed]
        assert not late, f"{later.name} runs before {late}"


def test_strata_follow_each_other_and_the_order_is_the_same_each_time(doctrine: Doctrine) -> None:
    rules = doctrine.reasoner.rules
    assert [STRATA.index(r.stratum) for r in rules] == sorted(STRATA.index(r.stratum) for r in rules)
    assert read_rules(doctrine.store) == rules


def test_a_chain_of_needs_is_put_in_order() -> None:
    steps = ["step(?a, ?b)", "alpha(?a, ?b)", "beta(?a, ?b)", "gamma(?a, ?b)"]
    heads = ["alpha", "beta", "gamma", "delta"]
    declared = "".join(f"shi:{name} a <urn:P> . " for name in heads) + DECLARED
    written = [rule(s, f"{h}(?a, ?b)", n) for s, h, n in zip(steps, heads, "zyxw", strict=True)]
    found = read_rules(store_of(declared + "".join(written)))
    assert [r.name for r in found] == ["rule:z", "rule:y", "rule:x", "rule:w"]


def test_what_a_variable_relation_concludes_is_derived_before_what_asks_one_of_them() -> None:
    """Once a head `reach(?a, RELATION)` was not seen to answer `reach(?a, shi:step)`."""
    first = rule("step(?a, ?b), RELATION(?a, ?b)", "reach(?a, RELATION)", "z")
    second = rule("reach(?a, shi:step)", "mark(?a, ?a)", "a")
    found = read_rules(store_of(DECLARED + "shi:mark a <urn:P> . " + first + second))
    assert [r.name for r in found] == ["rule:z", "rule:a"]


def test_what_must_be_absent_is_read_after_what_could_bring_it() -> None:
    first = rule("step(?a, ?b)", "reach(?a, ?b)", "z")
    second = rule("step(?a, ?b)", "lacks(?a, ?b)", "a", more='; shi:unless "reach(?b, ?a)"')
    ring = "<urn:1> shi:step <urn:2> . <urn:2> shi:step <urn:1> , <urn:3> . "
    store = store_of(DECLARED + "shi:lacks a <urn:P> . " + ring + first + second)
    reasoner = Reasoner(store)
    assert [r.name for r in reasoner.rules] == ["rule:z", "rule:a"]
    reasoner.derive("liuren")
    lacking = [(q.subject.value, q.object.value) for q in store.quads_for_pattern(None, term("lacks"), None)]
    assert lacking == [("urn:2", "urn:3")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (rule("step(?a, ?b)", "reach(?a, ?b)", more='; shi:unless "step(?b, ?z)"'), "binds z of shi:unless"),
        (
            rule("step(?a, ?b)", "reach(?a, ?b)", "one", "shi:cosmic", '; shi:unless "step(?b, ?a)"'),
            "rule:one: a cosmic rule, which may run again, cannot say shi:unless",
        ),
        (
            rule("step(?a, ?b)", "reach(?a, ?b)", more='; shi:unless "stride(?a, ?b)"'),
            "rule:one: shi:stride is not declared",
        ),
    ],
)
def test_an_absence_that_cannot_be_told_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(DataError) as error:
        read_rules(store_of(DECLARED + text))
    assert reason in str(error.value)


def test_cosmic_rules_run_to_their_fixed_point() -> None:
    ring = "".join(f"<urn:{n}> shi:step <urn:{(n + 1) % 7}> . " for n in range(7))
    rules = rule("step(?a, ?b)", "reach(?a, ?b)", "a", "shi:cosmic")
    rules += rule("reach(?a, ?b), step(?b, ?d)", "reach(?a, ?d)", "b", "shi:cosmic")
    store = store_of(DECLARED + ring + rules)
    reasoner = Reasoner(store)
    reasoner.close_cosmos()
    assert len(list(store.quads_for_pattern(None, term("reach"), None))) == 49
    size = len(store)
    reasoner.close_cosmos()
    assert len(store) == size


def test_the_cosmos_is_closed_and_stays_so(doctrine: Doctrine) -> None:
    size = len(doctrine.store)
    doctrine.reasoner.close_cosmos()
    assert len(doctrine.store) == size


# Compiling


def test_the_chart_comes_first_and_the_judgment_last() -> None:
    body = parse_atoms(
        "initial(?c, ?t), differentFrom(?t, ?c), VoidPlace(?t), kin(?j, kin:fumu)", "rule:here"
    )
    text = where(Rule("rule:here", "judge", body, Atom("exhibits", ("?c", "?j")), "form:kin-void"))
    assert text == (
        "{ ?c shi:initial ?t . FILTER(?t != ?c) LATERAL { ?t a shi:VoidPlace . } "
        "LATERAL { ?j shi:kin kin:fumu . } "
        "LATERAL { ?j shi:form form:kin-void . } LATERAL { ?j shi:reading ?reading . } "
        "LATERAL { ?c shi:chose ?reading . } }"
    )


def test_every_rule_asks_for_all_it_binds_and_declares_its_prefixes(doctrine: Doctrine) -> None:
    for r in doctrine.reasoner.rules:
        text = select(r)
        head = text.partition("SELECT ")[2].partition(" WHERE")[0].split()
        assert set(head) == {"?" + name for name in (*r.variables(), *r.head.variables())}, r.name
        assert text.startswith("PREFIX"), r.name


# The rules there are


def of_jingwei(doctrine: Doctrine, *kinds: str) -> list[NamedNode]:
    """The statements of some kinds of 六壬經緯."""
    heads = set(instances(doctrine.store, "Pattern"))
    found = instances(doctrine.store, *kinds)
    return [
        n
        for n in found
        if heads.intersection(values(doctrine.store, n, "pattern") + values(doctrine.store, n, "hollows"))
    ]


def test_every_judge_rule_belongs_to_a_form_and_every_form_has_one_rule(doctrine: Doctrine) -> None:
    declared = {shorten(node.value) for node in instances(doctrine.store, "Form")}
    loose = [r.name for r in doctrine.reasoner.of("judge", "liuren") if r.form not in declared]
    assert not loose, "rules of no form"
    by_form: dict[str, list[str]] = {name: [] for name in table("forms.ttl") if name.startswith("form:")}
    for r in doctrine.reasoner.rules:
        if r.form in by_form:
            by_form[r.form].append(r.name)
    assert not {form: rules for form, rules in by_form.items() if len(rules) != 1}, (
        "forms without their one rule"
    )


def test_every_judgment_and_caveat_has_a_form_that_concludes_about_its_kind(doctrine: Doctrine) -> None:
    heads = {r.form: r.head.predicate for r in doctrine.reasoner.rules if r.form}
    wrong = []
    for kind, head in (("Judgment", "exhibits"), ("Caveat", "caveated")):
        for node in of_jingwei(doctrine, kind):
            forms = [shorten(f.value) for f in values(doctrine.store, node, "form")]
            if [heads.get(form) for form in forms] != [head]:
                wrong.append((shorten(node.value), forms))
    assert not wrong


def test_a_judgment_gives_every_parameter_that_its_rule_reads(doctrine: Doctrine) -> None:
    read = {
        r.form: {atom.predicate for atom in r.body if atom.arguments[0] == "?j"}
        for r in doctrine.reasoner.rules
        if r.form
    }
    parameters = set().union(*read.values())
    lacking, idle = [], []
    for node in of_jingwei(doctrine, "Judgment", "Caveat"):
        (form,) = values(doctrine.store, node, "form")
        given_ = {p for p in parameters if any(doctrine.store.quads_for_pattern(node, term(p), None))}
        wanted = read.get(shorten(form.value), set())
        lacking += [(shorten(node.value), p) for p in wanted - given_]
        idle += [(shorten(node.value), p) for p in given_ - wanted]
    assert not lacking, "parameters that the form needs"
    assert not idle, "parameters that the form does not read"


def test_every_rule_is_explained_and_sourced(doctrine: Doctrine) -> None:
    store = doctrine.store
    lacking = [
        shorten(node.value)
        for node in instances(store, "Rule")
        for iri in ("http://www.w3.org/2000/01/rdf-schema#comment", "http://purl.org/dc/terms/source")
        if not any(store.quads_for_pattern(node, NamedNode(iri), None))
    ]
    assert not lacking
