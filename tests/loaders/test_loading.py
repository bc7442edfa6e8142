"""The entrance: works and titles, second loads, files that have changed, and stores on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from kg.errors import DataError, InputError, MissingInput
from kg.facts import TYPE, term, thing
from kg.store import values
from loaders import FORMATS, load, stored
from loaders.document import LABEL, file_node, line_node, work_node
from loaders.source import StructureError

SAMPLES = {
    "bilingual": "bilingual.txt",
    "tei": "tei-citestructure.xml",
    "kanripo": "kanripo.txt",
    "lines": "lines.txt",
    "chart": "chart-pillars.json",
}
JIEJI = "潔己 沐浴煞乘玄武為初傳曰潔己，凡占人占事以去汙潔身論。詳所屬何煞、所臨何煞定其吉凶。"
WORK = work_node("mine")

rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.text("懸胎三傳", min_size=1, max_size=3)), min_size=1, max_size=6
)


def options(format: str) -> dict[str, str]:
    return {} if format == "chart" else {"work": "mine", "title": "本"}


def write(path: Path, *lines: tuple[str, str]) -> Path:
    path.write_text("".join(f"{locator}\t{text}\n" for locator, text in lines), encoding="utf-8")
    return path


def test_the_samples_show_every_format() -> None:
    assert sorted(SAMPLES) == sorted(FORMATS)


@pytest.mark.parametrize("format", SAMPLES)
def test_a_second_load_changes_nothing(format: str, samples: Path, tmp_path: Path) -> None:
    path = samples / SAMPLES[format]
    directory = str(tmp_path / "store")
    on_disk = Store(directory)
    first = load(on_disk, path, format=format, **options(format))  # type: ignore[arg-type]
    before = set(on_disk)
    del on_disk
    reopened = Store(directory)
    assert set(reopened) == before
    second = load(reopened, path, format=format, **options(format))  # type: ignore[arg-type]
    assert (first[0].status, second[0].status) == ("new", "unchanged")
    assert set(reopened) == before


@pytest.mark.parametrize("format", SAMPLES)
def test_no_language_tag_and_no_blank_node_but_what_a_store_keeps(
    format: str, samples: Path, store: Store
) -> None:
    load(store, samples / SAMPLES[format], format=format, **options(format))  # type: ignore[arg-type]
    for quad in store:
        assert isinstance(quad.subject, NamedNode)
        assert isinstance(quad.object, NamedNode | Literal)
        if isinstance(quad.object, Literal) and quad.object.language:
            assert quad.object.language == quad.object.language.lower()


def test_every_term_used_is_declared(samples: Path, store: Store) -> None:
    from kg.store import load as load_turtle
    from ontology import TERMS, files

    declared = {quad.subject for quad in load_turtle(files())}
    for format, name in SAMPLES.items():
        if format != "chart":
            load(store, samples / name, format=format, work=format, title="本")
    used = {q.predicate for q in store} | {q.object for q in store.quads_for_pattern(None, TYPE, None)}
    ours = {node for node in used if isinstance(node, NamedNode) and node.value.startswith(TERMS)}
    assert len(ours) > 10
    assert ours <= declared


def test_a_changed_file_is_refused_unless_it_replaces(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", ("1", "懸胎"), ("2", "三傳"))
    load(store, path, format="lines", work="mine", title="本")
    before = set(store)
    write(path, ("1", "懸胎"), ("2", "四課"))
    with pytest.raises(DataError, match=r"another state of this file.*--replace"):
        load(store, path, format="lines", work="mine")
    assert set(store) == before
    assert load(store, path, format="lines", work="mine", replace=True)[0].status == "replaced"
    texts = {q.object.value for q in store.quads_for_pattern(None, term("baseText"), None)}  # type: ignore[union-attr]
    assert texts == {"懸胎", "四課"}


@settings(deadline=None)
@given(old=rows, new=rows, other=rows)
def test_replacing_leaves_what_a_fresh_load_gives(
    old: list[tuple[str, str]],
    new: list[tuple[str, str]],
    other: list[tuple[str, str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    room = tmp_path_factory.mktemp("replace")
    path, beside = room / "a.txt", write(room / "b.txt", *((f"b{locator}", text) for locator, text in other))
    replaced, fresh = Store(), Store()
    for content, store in ((old, replaced), (new, replaced), (new, fresh)):
        write(path, *content)
        load(store, [path, beside], format="lines", work="mine", title="本", replace=True)
    assert set(replaced) == set(fresh)


def test_another_language_is_another_load(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", ("1", "懸胎"))
    load(store, path, format="lines", work="mine", title="本")
    with pytest.raises(DataError, match="this file as lines in lzh-hant"):
        load(store, path, format="lines", work="mine", lang="lzh-hans")
    load(store, path, format="lines", work="mine", lang="lzh-hans", replace=True)
    found = values(store, line_node(WORK, "1", 1), "baseText")
    assert found == [Literal("懸胎", language="lzh-hans")]


def test_the_same_content_under_another_name_is_the_same_file(store: Store, tmp_path: Path) -> None:
    load(store, write(tmp_path / "a.txt", ("1", "懸胎")), format="lines", work="mine", title="本")
    before = set(store)
    again = load(store, write(tmp_path / "b.txt", ("1", "懸胎")), format="lines", work="mine")[0]
    assert (again.status, again.remarks) == ("unchanged", ["b.txt: loaded as a.txt"])
    assert set(store) == before


def test_two_files_of_a_work_may_not_share_a_locator(store: Store, tmp_path: Path) -> None:
    first = write(tmp_path / "a.txt", ("1", "懸胎"))
    second = write(tmp_path / "b.txt", ("2", "三傳"), ("1", "四課"))
    with pytest.raises(
        StructureError, match=r"line 2: the locator 1 stands in another file of work:mine: a\.txt"
    ):
        load(store, [first, second], format="lines", work="mine", title="本")
    assert len(store) == 0
    load(store, first, format="lines", work="mine", title="本")
    with pytest.raises(
        StructureError, match=r"line 2: the locator 1 stands in another file of work:mine: a\.txt"
    ):
        load(store, second, format="lines", work="mine")
    assert load(store, second, format="lines", work="other", title="他")[0].status == "new"


def test_a_new_work_needs_a_title_and_keeps_it(samples: Path, store: Store) -> None:
    path = samples / "lines.txt"
    with pytest.raises(MissingInput, match="the new work work:mine needs a title"):
        load(store, path, format="lines", work="mine")
    load(store, path, format="lines", work="mine", title="六壬經緯")
    with pytest.raises(InputError, match="六壬經緯, the title that work:mine has"):
        load(store, path, format="lines", work="mine", title="他")
    load(store, path, format="lines", work="mine", title="육임경위", title_lang="ko")
    labels = {quad.object for quad in store.quads_for_pattern(WORK, LABEL, None)}
    assert labels == {Literal("六壬經緯", language="zh-hant"), Literal("육임경위", language="ko")}


def test_a_file_that_states_no_title_needs_one(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<pb:KR9g0001_WYG_003-1a>懸胎¶\n", encoding="utf-8")
    with pytest.raises(MissingInput, match="for no file states one"):
        load(store, path, format="kanripo", work="mine")
    assert len(store) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"format": "docx", "work": "mine"}, "one of bilingual, tei, kanripo, lines, chart"),
        ({"format": "lines", "work": "六壬"}, "a slug of ASCII letters"),
        ({"format": "lines", "work": "a--b"}, "a slug of ASCII letters"),
        ({"format": "lines", "work": "liuren-jingwei"}, "a treatise that ships with Sanshi"),
        ({"format": "lines", "work": "mine", "title": "本", "lang": "lzh_hant"}, "a language tag"),
        ({"format": "lines", "work": "mine", "title": "本", "title_lang": ""}, "a language tag"),
    ],
)
def test_what_is_not_accepted(given: dict[str, str], message: str, samples: Path, store: Store) -> None:
    with pytest.raises(InputError, match=message):
        load(store, samples / "lines.txt", **given)  # type: ignore[arg-type]
    assert len(store) == 0


def test_a_text_needs_a_work_and_files_need_names_of_their_own(samples: Path, store: Store) -> None:
    with pytest.raises(MissingInput, match="a work"):
        load(store, samples / "lines.txt", format="lines")
    with pytest.raises(InputError, match="files of different names"):
        load(store, [samples / "lines.txt", samples / "lines.txt"], format="lines", work="mine", title="本")


def test_a_replaced_translation_goes_and_one_that_another_file_gives_stays(
    store: Store, tmp_path: Path
) -> None:
    passage = thing("passage:jieji-1")
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    for path in (first, second):
        path.write_text(f"{JIEJI}\n\n결기라 한다.\n", encoding="utf-8")
    second.write_text(f"제목\n\n{JIEJI}\n\n결기라 한다.\n", encoding="utf-8")
    load(store, [first, second], format="bilingual", work="mine", title="本")
    first.write_text(f"{JIEJI}\n\n스스로 깨끗이 한다.\n", encoding="utf-8")
    load(store, first, format="bilingual", work="mine", replace=True)
    assert [v.value for v in values(store, passage, "translation")] == ["결기라 한다.", "스스로 깨끗이 한다."]
    second.write_text(f"제목\n\n{JIEJI}\n\n몸을 씻는다.\n", encoding="utf-8")
    load(store, second, format="bilingual", work="mine", replace=True)
    assert [v.value for v in values(store, passage, "translation")] == ["몸을 씻는다.", "스스로 깨끗이 한다."]


def test_a_file_read_again_follows_the_treatises(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loaders import bilingual

    path = tmp_path / "a.txt"
    path.write_text(f"{JIEJI}\n\n결기라 한다.\n", encoding="utf-8")
    with monkeypatch.context() as earlier:
        earlier.setattr(bilingual, "held", lambda text: ([], text))
        load(store, path, format="bilingual", work="mine", title="本")
    assert not values(store, thing("passage:jieji-1"), "translation")
    assert load(store, path, format="bilingual", work="mine")[0].status == "updated"
    assert values(store, thing("passage:jieji-1"), "translation") == [Literal("결기라 한다.", language="ko")]
    assert not list(store.quads_for_pattern(None, TYPE, term("Line")))


def test_what_a_file_gave_is_what_is_stored(samples: Path, store: Store) -> None:
    load(store, samples / "bilingual.txt", format="bilingual", work="mine", title="本")
    work = set(store.quads_for_pattern(WORK, None, None))
    assert stored.asserted(store, file_node(WORK, "bilingual.txt")) == set(store) - work


def test_a_large_file_goes_in_by_the_bulk_loader(tmp_path: Path) -> None:
    count = 2 * stored.BULK // 50
    path = write(
        tmp_path / "large.txt", *((f"{n // 20}a", "凡占人占事以隱匿懷胎、繼先傳後論") for n in range(count))
    )
    assert path.stat().st_size > stored.BULK
    on_disk = Store(str(tmp_path / "store"))
    seen: list[int] = []
    loaded = load(on_disk, path, format="lines", work="mine", title="大", tick=seen.append)[0]
    assert loaded.count.lines == count
    assert len(list(on_disk.quads_for_pattern(None, TYPE, term("Line")))) == count
    assert sum(seen) == path.stat().st_size
    last = line_node(WORK, f"{(count - 1) // 20}a", (count - 1) % 20 + 1)
    assert Quad(last, term("ordinal"), Literal(count)) in on_disk


@pytest.mark.parametrize("slug", ["liuren-daquan", "treatises", "KR3g0031"])
def test_a_work_that_the_treatises_cite_may_be_loaded_under_its_slug(
    slug: str, samples: Path, store: Store
) -> None:
    load(store, samples / "kanripo.txt", format="kanripo", work=slug)
    assert Quad(work_node(slug), TYPE, term("Text")) in store
