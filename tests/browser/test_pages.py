"""What a reader does: cast, follow a finding to its passage, read the apparatus, ask, search, change the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
Visit = Callable[..., "Page"]

QIMEN = "/chart/qimen?instant=2026-02-18T22:59&tz=Asia/Shanghai&birth=1980"
WITH_AND_WITHOUT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


@WITH_AND_WITHOUT
def test_cast_liuren_and_follow_a_finding_to_its_passage(visit: Visit, expect: Any, script: bool) -> None:
    page = visit("/?lang=en", script=script)
    form = page.locator("form[action='/chart/liuren']")
    form.get_by_label("Day", exact=True).select_option("庚申")
    form.get_by_label("Hour", exact=True).select_option("子")
    form.get_by_label("Month general").select_option("亥")
    form.get_by_role("button", name="Cast").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("庚申日 丙子時 亥將")
    assert "shehai" not in page.url and "month=" not in page.url, (
        "what is at its default stays out of the address"
    )
    expect(page.get_by_role("img", name="Heaven and earth plates")).to_be_visible()
    finding = page.locator("article.finding").first
    expect(finding.locator("blockquote")).to_have_text("支上生支，干上生干，彼我各自有助")
    expect(finding.locator(".why li").first).to_have_text(
        "Wei 未 (earth) upon the branch generates the day branch Shen 申 (metal)"
    )
    finding.locator("a.to-passage").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("印綬")
    target = page.locator(":target")
    expect(target.locator("blockquote")).to_have_text("支上生支，干上生干，彼我各自有助")
    expect(target).to_be_in_viewport()


@WITH_AND_WITHOUT
def test_cast_qimen_from_an_instant(visit: Visit, expect: Any, script: bool) -> None:
    page = visit("/chart/qimen?lang=en", script=script)
    page.get_by_label("Instant").fill("2026-02-18T22:59:00")
    page.get_by_label("Time zone").fill("Asia/Shanghai")
    page.get_by_text("Where the schools differ").click()
    page.locator("select[name=method]").select_option("zhirun")
    page.get_by_role("button", name="Cast").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("丙午年 庚寅月 癸亥日 癸亥時 陽遁2局")
    assert "method=zhirun" in page.url
    expect(page.get_by_role("img", name="Nine palaces")).to_be_visible()
    page.get_by_text("The same as a table").click()
    row = page.get_by_role("table", name="Nine palaces").get_by_role("row", name="兌 7")
    expect(row).to_contain_text("值符")
    expect(row).to_contain_text("符 使")


def _tab_to(page: Page, what: Locator, most: int = 120) -> None:
    """Press Tab until the focus is on something."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if what.evaluate("it => it === document.activeElement"):
            return
    raise AssertionError(f"the keyboard does not reach {what}")


@WITH_AND_WITHOUT
def test_the_keyboard_alone_casts_a_chart_and_follows_a_finding_to_its_passage(
    visit: Visit, expect: Any, script: bool
) -> None:
    page = visit("/?lang=en", script=script)
    form = page.locator("form[action='/chart/liuren']")
    for label, value in (("Day", "庚申"), ("Hour", "子"), ("Month general", "亥")):
        field = form.get_by_label(label, exact=True)
        _tab_to(page, field)
        while field.input_value() != value:
            before = field.input_value()
            page.keyboard.press("ArrowDown")
            assert field.input_value() != before, f"{label} has no {value}"
    _tab_to(page, form.get_by_role("button", name="Cast"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("庚申日 丙子時 亥將")
    finding = page.locator("article.finding").first
    quote = finding.locator("blockquote").inner_text()
    link = finding.locator("a.to-passage")
    _tab_to(page, link)
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("印綬")
    expect(page.locator(":target blockquote")).to_have_text(quote)
    expect(page.locator(":target")).to_be_in_viewport()


@WITH_AND_WITHOUT
def test_the_keyboard_opens_a_topic_that_is_folded(visit: Visit, expect: Any, script: bool) -> None:
    page = visit(f"{QIMEN}&lang=en", script=script)
    groups = page.locator("details.group")
    first, second = groups.nth(0), groups.nth(1)
    expect(first.locator("article").first).to_be_visible()
    expect(second.locator("article").first).to_be_hidden()
    expect(second.locator("summary").first).to_contain_text("finding")
    _tab_to(page, second.locator("summary").first)
    page.keyboard.press("Enter")
    expect(second.locator("article").first).to_be_visible()
    link = second.locator("a.to-passage").first
    quote = second.locator("blockquote").first.inner_text()
    _tab_to(page, link)
    page.keyboard.press("Enter")
    expect(page.locator(":target blockquote")).to_have_text(quote)


def test_a_link_to_a_finding_that_is_folded_opens_it(visit: Visit, expect: Any) -> None:
    page = visit(f"{QIMEN}&lang=en", script=False)
    folded = page.locator("details.group:not([open]) article.finding").last
    where = folded.get_attribute("id")
    expect(folded).to_be_hidden()
    page = visit(f"{QIMEN}&lang=en#{where}", script=False)
    expect(page.locator(f"#{where}")).to_be_visible()
    expect(page.locator(f"#{where}")).to_be_in_viewport()


def test_a_finding_of_qimen_leads_to_its_clause_and_a_topic_to_its_findings_alone(
    visit: Visit, expect: Any
) -> None:
    page = visit(f"{QIMEN}&lang=en")
    page.get_by_text("Change and cast again").click()
    page.get_by_label("Topic").select_option("占狀詞")
    page.get_by_role("button", name="Cast").click()
    expect(page.locator(".group")).to_have_count(1)
    finding = page.locator("article.finding").first
    quote = finding.locator("blockquote").inner_text()
    expect(finding.locator(".why li").first).not_to_be_empty()
    finding.locator("a.to-passage").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("占狀詞")
    expect(page.locator(":target blockquote")).to_have_text(quote)


def test_what_cannot_be_cast_is_said_and_the_form_keeps_what_was_given(visit: Visit, expect: Any) -> None:
    page = visit("/?lang=ko", script=False)
    form = page.locator("form[action='/chart/liuren']")
    form.locator("select[name=day]").select_option("甲子")
    form.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("an instant, or day, hour and general")
    expect(page.locator("select[name=day]")).to_have_value("甲子")


def test_an_entry_of_the_apparatus(visit: Visit, expect: Any) -> None:
    page = visit("/read/liuren-jingwei?lang=en")
    page.get_by_role("link", name="Suspended Womb 2").click()
    page.get_by_role("link", name="Apparatus 3").click()
    entry = page.locator(":target")
    expect(entry.get_by_role("heading")).to_contain_text("始勤終怠")
    expect(entry.locator("del")).to_have_text("始動終怠")
    expect(entry).to_contain_text("wrong character, certain, adopted")
    text = page.locator("p.text")
    expect(text).to_contain_text("始勤終怠")
    page.get_by_role("link", name="as witnessed").click()
    expect(text).to_contain_text("始動終怠")


def test_an_allusion_and_a_form_are_beside_the_text(visit: Visit, expect: Any) -> None:
    page = visit("/read/liuren-jingwei/3.1.2?lang=en")
    allusions = page.get_by_role("region", name="Allusions")
    expect(allusions).to_contain_text("四牡驅馳不息")
    expect(allusions).to_contain_text("四牡騑騑周道倭遲豈不懷歸王事靡盬")
    page.get_by_role("link", name="the series, in a season").first.click()
    expect(page.get_by_text("寅卯辰 spring and so on")).to_be_visible()
    expect(page.locator(".rulebox code").last).to_have_text("exhibits(?c, ?j)")


@WITH_AND_WITHOUT
def test_a_named_query(visit: Visit, expect: Any, script: bool) -> None:
    page = visit("/ask?lang=en", script=script)
    page.get_by_role("link", name="judgments-of-heading", exact=True).click()
    page.get_by_label("heading").fill("印綬")
    page.get_by_role("button", name="Run").click()
    rows = page.locator("table.answer tbody tr")
    expect(rows).to_have_count(10)
    expect(page.locator("table.answer")).to_contain_text("支上生支，干上生干，彼我各自有助")
    page.get_by_label("heading").fill("印受")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_contain_text("no Heading is called '印受'; did you mean 印綬")


def test_the_editor_loads_a_named_query_and_runs_what_is_typed(visit: Visit, expect: Any) -> None:
    page = visit("/ask?lang=en")
    page.get_by_label("Begin with a named query").select_option("headings")
    page.get_by_role("button", name="Load").click()
    expect(page.locator(".CodeMirror")).to_contain_text("SELECT")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("table.answer tbody tr")).to_have_count(89)
    page.locator(".CodeMirror").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("SELECT ?e WHERE { ?e a shi:Element } ORDER BY ?e")
    expect(page.locator(".CodeMirror")).to_contain_text("PREFIX shi:")
    page.keyboard.press("Control+Enter")
    expect(page.locator("table.answer tbody tr")).to_have_count(5)
    expect(page.locator("#answer")).to_be_focused()


def test_the_editor_lets_the_keyboard_out(visit: Visit, expect: Any) -> None:
    page = visit("/ask?lang=en")
    page.get_by_role("button", name="Load").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.CodeMirror') !== null")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run")).to_be_focused()


def test_the_editor_works_without_scripts(visit: Visit, expect: Any) -> None:
    page = visit("/ask?lang=en", script=False)
    page.get_by_label("Query text").fill("SELECT ?e WHERE { ?e a shi:Element }")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("table.answer tbody tr")).to_have_count(5)


@WITH_AND_WITHOUT
def test_the_language_changes_and_stays(visit: Visit, expect: Any, script: bool) -> None:
    page = visit("/chart/liuren?day=庚申&hour=子&general=亥&lang=en", script=script)
    page.get_by_role("link", name="한국어").click()
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.get_by_role("heading", level=1)).to_have_text("庚申日 丙子時 亥將")
    expect(page.locator(".gloss").first).to_contain_text("일지를 생하고")
    page.get_by_role("link", name="둘러보기").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("둘러보기")
    page.get_by_role("link", name="中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("瀏覽")


def test_search_shows_words_in_their_context(visit: Visit, expect: Any) -> None:
    page = visit("/find?lang=en", script=False)
    page.get_by_label("Words to look for").fill("騰蛇")
    page.get_by_role("button", name="Search").click()
    passages = page.get_by_role("region", name="Passages")
    expect(passages.locator("mark").first).to_have_text("螣蛇")
    page.get_by_label("Exact characters only").check()
    page.get_by_role("button", name="Search").click()
    expect(passages).to_have_count(0)


def test_the_first_thing_the_keyboard_reaches_leads_to_the_content(visit: Visit, expect: Any) -> None:
    page = visit("/browse/schools?lang=en")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
