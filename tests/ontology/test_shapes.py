"""The shapes, class by class: a graph that has the shape, and the same graph with one thing spoilt, which must be named.

Above all a class without a shape is named, and a shape without its case here.
"""

from __future__ import annotations

import re
from functools import cache

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, Store

from kg.check import shapes
from kg.liuren_chart import cast as cast_liuren
from kg.qimen_chart import cast as cast_qimen
from kg.store import load
from ontology import HERE, expand, files, prefixes, shorten

pytest.importorskip("pyshacl")

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
HEADER = "".join(f"@prefix {name}: <{namespace}> .\n" for name, namespace in prefixes().items())
WORDS = {
    "LABELS": 'rdfs:label "甲"@zh-hant , "갑"@ko , "a"@en',
    "SOURCE": 'dcterms:source "五行大義 卷一"',
    "COMMENT": 'rdfs:comment "What it is."@en',
    "WORDING": 'shi:wording "{0}生{1}"@zh-hant , "{0}{1}"@ko , "{0} {1}"@en',
    "STATEMENT": 'shi:passage passage:p ; shi:quote "子"@lzh-hant ; shi:baseQuote "子"@lzh-hant ; shi:gloss "a"@en , "갑"@ko',
}
"""What the graphs below abbreviate."""

Spoilt = tuple[str, str, str]
"""Words of the graph, what stands in their place, and words of the failure that this must give."""
CASES: dict[str, tuple[str, list[Spoilt]]] = {
    # ---- the cosmos
    "shi:Symbol": (
        """
        stem:x a shi:Symbol ; LABELS ; SOURCE ; skos:notation "甲" ; shi:element element:e ; shi:polarity polarity:p .
        element:e a shi:Element . polarity:p a shi:Polarity .
        """,
        [
            (
                "shi:polarity polarity:p",
                "shi:polarity element:e",
                "shi:polarity: Value does not have",
            ),
            (' , "a"@en', "", "rdfs:label: A label is needed"),
            ('"五行大義 卷一"', '""', "dcterms:source"),
            ('"甲" ;', '"甲" , "乙" ;', "skos:notation: More than 1"),
        ],
    ),
    "shi:Element": (
        """
        element:x a shi:Element ; LABELS ; SOURCE ; skos:notation "木" ; shi:generates element:y ; shi:controls element:z .
        element:y a shi:Element . element:z a shi:Element .
        """,
        [
            ("shi:generates element:y", "shi:generates polarity:q", "shi:generates"),
            ("shi:controls element:z", "shi:controls element:y , element:z", "shi:controls"),
        ],
    ),
    "shi:Polarity": (
        "polarity:x a shi:Polarity ; LABELS ; SOURCE .",
        [("; SOURCE", "", "dcterms:source: Less than 1")],
    ),
    "shi:Stem": (
        """
        stem:x a shi:Stem ; LABELS ; SOURCE ; skos:notation "甲" ; shi:element element:e ; shi:polarity polarity:p ;
            shi:lodge branch:b ; shi:fiveCombines stem:y .
        element:e a shi:Element . polarity:p a shi:Polarity . branch:b a shi:Branch . stem:y a shi:Stem .
        """,
        [
            ("shi:lodge branch:b", "shi:lodge stem:y", "shi:lodge"),
            ("shi:fiveCombines stem:y", "rdf:value stem:y", "shi:fiveCombines: Less than 1"),
        ],
    ),
    "shi:Branch": (
        """
        branch:x a shi:Branch ; LABELS ; SOURCE ; skos:notation "子" ; shi:element element:e ; shi:polarity polarity:p ;
            shi:next branch:y ; shi:previous branch:y ; shi:clashes branch:y ; shi:combines branch:y ; shi:harms branch:y ;
            shi:breaks branch:y ; shi:punishes branch:y ; shi:punishedBy branch:y ; shi:horse branch:y ; shi:inSeason season:s .
        element:e a shi:Element . polarity:p a shi:Polarity . season:s a shi:Season . branch:y a shi:Branch .
        trine:t a shi:Trine ; shi:member branch:x .
        """,
        [
            ("shi:harms branch:y", "shi:harms season:s", "shi:harms"),
            ("shi:clashes branch:y ;", "", "shi:clashes: Less than 1"),
            ("shi:member branch:x", "shi:member branch:y", "Less than 1"),
        ],
    ),
    "shi:Pair": (
        """
        pair:x a shi:Pair ; LABELS ; SOURCE ; shi:pairStem stem:a ; shi:pairBranch branch:b ; shi:decade decade:d .
        stem:a a shi:Stem . branch:b a shi:Branch . decade:d a shi:Decade .
        """,
        [
            ("shi:pairStem stem:a", "shi:pairStem branch:b", "shi:pairStem"),
            ("; shi:decade decade:d", "", "shi:decade: Less than 1"),
        ],
    ),
    "shi:Cause": (
        "query:c a shi:Cause ; LABELS ; SOURCE .",
        [("SOURCE", "rdfs:seeAlso shi:Cause", "dcterms:source")],
    ),
    "shi:Concurrence": (
        """
        query:c a shi:Concurrence ; shi:one pattern:a ; shi:other pattern:b ; shi:charts 3 ; shi:chartsWithOne 4 ; shi:chartsWithOther 5 ; shi:lift 1.5 .
        pattern:a a shi:Heading . pattern:b a shi:Heading .
        """,
        [
            ("shi:other pattern:b ;", "", "shi:other"),
            ("shi:charts 3", "shi:charts -3", "shi:charts"),
            ("shi:lift 1.5", "shi:lift 1.5 , 2.5", "shi:lift"),
        ],
    ),
    "shi:Decade": (
        """
        decade:x a shi:Decade ; LABELS ; SOURCE ; shi:decadeHead pair:a ; shi:instrument stem:i ; shi:voidBranch branch:b , branch:c .
        pair:a a shi:Pair ; shi:decade decade:x . stem:i a shi:Instrument . branch:b a shi:Branch . branch:c a shi:Branch .
        pair:b a shi:Pair ; shi:decade decade:x . pair:c a shi:Pair ; shi:decade decade:x . pair:d a shi:Pair ; shi:decade decade:x .
        pair:e a shi:Pair ; shi:decade decade:x . pair:f a shi:Pair ; shi:decade decade:x . pair:g a shi:Pair ; shi:decade decade:x .
        pair:h a shi:Pair ; shi:decade decade:x . pair:i a shi:Pair ; shi:decade decade:x . pair:j a shi:Pair ; shi:decade decade:x .
        """,
        [
            (", branch:c .", ".", "shi:voidBranch: Less than 2"),
            ("pair:j a shi:Pair ; shi:decade decade:x .", "", "Less than 10"),
        ],
    ),
    "shi:Season": (
        """
        season:x a shi:Season ; LABELS ; SOURCE ; shi:element element:e ; shi:firstMonth branch:a ; shi:middleMonth branch:b ; shi:lastMonth branch:c .
        element:e a shi:Element . branch:a a shi:Branch . branch:b a shi:Branch . branch:c a shi:Branch .
        """,
        [("shi:lastMonth branch:c", "shi:lastMonth branch:b , branch:c", "shi:lastMonth: More than 1")],
    ),
    "shi:Term": (
        """
        term:x a shi:Term ; LABELS ; SOURCE ; shi:solarLongitude 315 ; shi:dun polarity:p ; shi:juUpper 8 ; shi:juMiddle 5 ; shi:juLower 2 .
        polarity:p a shi:Polarity .
        """,
        [
            ("shi:juUpper 8", "shi:juUpper 10", "shi:juUpper"),
            ("shi:solarLongitude 315", "shi:solarLongitude 360", "shi:solarLongitude"),
        ],
    ),
    "shi:Node": (
        """
        term:x a shi:Node ; LABELS ; SOURCE ; shi:solarLongitude 315 ; shi:dun polarity:p ; shi:juUpper 8 ; shi:juMiddle 5 ; shi:juLower 2 ;
            shi:startsMonth branch:b .
        polarity:p a shi:Polarity . branch:b a shi:Branch .
        """,
        [
            ("shi:startsMonth branch:b", "shi:startsGeneral branch:b", "shi:startsMonth: Less than 1"),
        ],
    ),
    "shi:MidTerm": (
        """
        term:x a shi:MidTerm ; LABELS ; SOURCE ; shi:solarLongitude 330 ; shi:dun polarity:p ; shi:juUpper 9 ; shi:juMiddle 6 ; shi:juLower 3 ;
            shi:startsGeneral branch:b .
        polarity:p a shi:Polarity . branch:b a shi:Branch .
        """,
        [("shi:startsGeneral branch:b", "shi:startsMonth branch:b", "shi:startsGeneral: Less than 1")],
    ),
    "shi:Trine": (
        """
        trine:x a shi:Trine ; LABELS ; SOURCE ; shi:element element:e ; shi:birth branch:a ; shi:peak branch:b ; shi:tomb branch:c ;
            shi:member branch:a , branch:b , branch:c ; shi:punishesQuarter season:s .
        element:e a shi:Element . season:s a shi:Season . branch:a a shi:Branch . branch:b a shi:Branch . branch:c a shi:Branch .
        """,
        [
            ("branch:b , branch:c", "branch:b", "shi:member: Less than 3"),
            ("shi:tomb branch:c", "shi:tomb season:s", "shi:tomb"),
        ],
    ),
    "shi:Kin": (
        "kin:x a shi:Kin ; LABELS ; SOURCE ; shi:relationToStem shi:generates . shi:generates a shi:ElementRelation .",
        [("shi:relationToStem shi:generates", "shi:relationToStem shi:clashes", "shi:relationToStem")],
    ),
    "shi:Strength": (
        "strength:x a shi:Strength ; LABELS ; SOURCE ; shi:relationToCommand shi:generates . shi:generates a shi:ElementRelation .",
        [
            (
                "shi:relationToCommand shi:generates",
                "shi:relationToCommand shi:clashes",
                "shi:relationToCommand",
            )
        ],
    ),
    "shi:GrowthStage": (
        "stage:x a shi:GrowthStage , owl:ObjectProperty ; LABELS ; SOURCE ; shi:followedBy stage:y . stage:y a shi:GrowthStage .",
        [
            (" , owl:ObjectProperty", "", "rdf:type"),
            ("followedBy stage:y", "followedBy stage:y , stage:x", "shi:followedBy: More than 1"),
        ],
    ),
    "shi:GrowthCycle": (
        """
        cycle:x a shi:GrowthCycle ; SOURCE ; shi:ofSchool school:s ; shi:forStem stem:j ; shi:direction shi:next ;
            stage:01-changsheng branch:a ; stage:02-muyu branch:b ; stage:03-guandai branch:c ; stage:04-linguan branch:d ;
            stage:05-diwang branch:e ; stage:06-shuai branch:f ; stage:07-bing branch:g ; stage:08-si branch:h ;
            stage:09-mu branch:i ; stage:10-jue branch:j ; stage:11-tai branch:k ; stage:12-yang branch:l .
        school:s a shi:Value . stem:j a shi:Stem . branch:a a shi:Branch .
        """,
        [
            ("stage:12-yang branch:l", "stage:12-yang branch:k", "twelve stages"),
            ("shi:direction shi:next", "shi:direction shi:clashes", "shi:direction"),
        ],
    ),
    "shi:Relation": (
        "shi:x a shi:Relation , owl:ObjectProperty ; LABELS ; SOURCE ; COMMENT ; WORDING .",
        [
            (' , "{0} {1}"@en', "", "shi:wording: A relation is worded"),
            ('"What it is."@en', '"무엇"@ko', "rdfs:comment"),
        ],
    ),
    "shi:ElementRelation": (
        "shi:x a shi:ElementRelation , owl:ObjectProperty ; LABELS ; SOURCE ; COMMENT ; WORDING .",
        [("; WORDING", "; WORDING ; rdfs:domain shi:Branch", "rdfs:domain: What goes by elements")],
    ),
    "shi:BranchRelation": (
        "shi:x a shi:BranchRelation , owl:ObjectProperty ; LABELS ; SOURCE ; COMMENT ; WORDING ; rdfs:domain shi:Branch ; rdfs:range shi:Branch .",
        [("rdfs:range shi:Branch", "rdfs:range shi:Stem", "rdfs:range")],
    ),
    "shi:GateHour": (
        """
        branch:04-mao a shi:GateHour .
        """,
        [("branch:04-mao", "branch:03-yin", "branch:03-yin: Value")],
    ),
    "shi:SeasonProper": (
        "branch:x a shi:SeasonProper . season:s a shi:Season ; shi:middleMonth branch:x .",
        [("shi:middleMonth", "shi:lastMonth", "Less than 1")],
    ),
    # ---- 大六壬
    "shi:Chart": (
        "chart:x a shi:Chart ; shi:chose school:a ; shi:exhibits judgment:j . school:a a shi:Value . judgment:j a shi:Judgment .",
        [
            ("shi:chose school:a ;", "", "shi:chose: Less than 1"),
            ("shi:exhibits judgment:j", "shi:exhibits school:a", "shi:exhibits"),
        ],
    ),
    "shi:EarlyDays": (
        """chart:x a shi:EarlyDays ; shi:chose school:a ; shi:instant "2025-02-19T23:42:00+08:00"^^xsd:dateTime . school:a a shi:Value .""",
        [
            ("a shi:EarlyDays", "a shi:EarlyDays , shi:LateDays", "chart:x"),
            ("shi:instant", "rdf:value", "shi:instant: Less than 1"),
        ],
    ),
    "shi:LateDays": (
        """chart:x a shi:LateDays ; shi:chose school:a ; shi:instant "2025-02-01T23:42:00+08:00"^^xsd:dateTime . school:a a shi:Value .""",
        [("shi:instant", "rdf:value", "shi:instant: Less than 1")],
    ),
    "shi:Lesson": (
        "chart:x a shi:Lesson ; shi:upper chart:a ; shi:lower chart:b . chart:a a shi:Place . chart:b a shi:VoidPlace .",
        [("shi:lower chart:b", "shi:lower branch:b", "shi:lower")],
    ),
    "shi:VoidPlace": (
        """
        chart:x a shi:VoidPlace ; shi:branch branch:01-zi ; shi:over chart:y . chart:y shi:branch branch:02-chou .
        chart:c shi:hasPlace chart:x ; shi:dayPair pair:p . pair:p shi:decade decade:d . decade:d shi:voidBranch branch:02-chou .
        """,
        [
            (
                "decade:d shi:voidBranch branch:02-chou",
                "decade:d shi:voidBranch branch:03-yin",
                "Neither the branch",
            )
        ],
    ),
    "shi:Place": (
        """
        chart:x a shi:Place ; shi:branch branch:b ; shi:over chart:y ; shi:rides general:g ; shi:hiddenStem stem:s ;
            shi:placeKin kin:k ; shi:placeStage stage:t ; shi:placeStrength strength:w ; shi:toDay shi:harms ; shi:mark mark:m .
        chart:c a shi:LiurenChart ; shi:hasPlace chart:x . chart:y a shi:Place . branch:b a shi:Branch . stem:s a shi:Stem .
        kin:k a shi:Kin . stage:t a shi:GrowthStage . strength:w a shi:Strength . mark:m a shi:Mark . general:g a shi:General .
        shi:harms a shi:BranchRelation .
        """,
        [
            ("shi:rides general:g", "shi:rides stem:s", "shi:rides"),
            ("shi:placeKin kin:k ;", "", "shi:placeKin: Less than 1"),
            ("shi:hasPlace chart:x", "shi:hasPlace chart:y", "Less than 1"),
        ],
    ),
    "shi:General": (
        """general:x a shi:General ; LABELS ; SOURCE ; skos:notation "貴人" ; shi:element element:e . element:e a shi:Element .""",
        [("; shi:element element:e", "", "shi:element: Less than 1")],
    ),
    "shi:Noble": (
        """
        noble:x a shi:Noble ; SOURCE ; shi:ofSchool school:s ; shi:forStem stem:j ; shi:dayNoble branch:a ; shi:nightNoble branch:b .
        school:s a shi:Value . stem:j a shi:Stem . branch:a a shi:Branch . branch:b a shi:Branch .
        """,
        [("shi:nightNoble branch:b", "shi:nightNoble stem:j", "shi:nightNoble")],
    ),
    "shi:Mark": ("mark:x a shi:Mark ; LABELS ; SOURCE .", [(' , "갑"@ko', "", "rdfs:label")]),
    "shi:MonthMark": (
        "mark:yuejian a shi:MonthMark ; LABELS ; SOURCE .",
        [("mark:yuejian", "mark:ma", "mark:ma: Value")],
    ),
    "shi:Phase": ("phase:x a shi:Phase ; LABELS ; SOURCE .", [("; SOURCE", "", "dcterms:source")]),
    "shi:Finding": (
        """
        finding:x a shi:Finding ; shi:chart chart:c ; shi:judgment judgment:j ; shi:isHollow false ;
            shi:because "初傳生干"@zh-hant , "초전이 일간을 생한다"@ko , "The initial generates the stem"@en .
        chart:c a shi:LiurenChart . judgment:j a shi:Judgment .
        """,
        [
            (' , "초전이 일간을 생한다"@ko', "", "A reason in ko"),
            ("shi:isHollow false", 'shi:isHollow "no"', "shi:isHollow"),
            ("chart:c a shi:LiurenChart .", "", "shi:chart"),
        ],
    ),
    # ---- treatises and their statements
    "shi:Art": ("shi:x a shi:Art ; LABELS ; SOURCE .", [("; LABELS", "", "rdfs:label")]),
    "shi:Treatise": (
        """
        work:x a shi:Treatise ; LABELS ; SOURCE ; COMMENT ; shi:art shi:liuren ; dcterms:created "1725"^^xsd:gYear ;
            lrmoo:R3_is_realised_in work:t .
        shi:liuren a shi:Art . work:t a lrmoo:F2_Expression .
        """,
        [
            ("shi:art shi:liuren", "shi:art shi:other", "shi:art"),
            ("work:t a lrmoo:F2_Expression .", "", "lrmoo:R3_is_realised_in"),
        ],
    ),
    "shi:Chapter": (
        "chapter:x a shi:Chapter ; LABELS ; shi:partOf work:w ; shi:volume 3 . work:w a shi:Treatise .",
        [("; shi:volume 3", "", "the number of its volume"), ("work:w a shi:Treatise .", "", "shi:partOf")],
    ),
    "shi:Passage": (
        """
        passage:x a shi:Passage ; shi:partOf chapter:c ; shi:ordinal 1 ; shi:pattern pattern:p ; shi:locator "卷三·懸胎·1" ;
            shi:baseText "子"@lzh-hant ; shi:establishedText "子"@lzh-hant .
        chapter:c a shi:Chapter . pattern:p a shi:Pattern .
        """,
        [
            ('shi:baseText "子"@lzh-hant', 'shi:baseText ""@lzh-hant', "shi:baseText"),
            ('shi:baseText "子"@lzh-hant', 'shi:baseText "子"@ko', "an established text"),
            ('; shi:establishedText "子"@lzh-hant', "", "an established text"),
            ("shi:pattern pattern:p", "shi:pattern pattern:p , pattern:q", "A passage of a treatise"),
            ("shi:ordinal 1", "shi:ordinal 0", "shi:ordinal"),
        ],
    ),
    "shi:Heading": (
        "pattern:x a shi:Heading ; LABELS ; shi:ordinal 1 ; shi:treatise work:w . work:w a shi:Treatise .",
        [
            ("; shi:ordinal 1", "", "shi:ordinal: Less than 1"),
            ("shi:treatise work:w", "shi:treatise work:v", "shi:treatise"),
        ],
    ),
    "shi:Pattern": (
        "pattern:x a shi:Pattern ; LABELS ; shi:ordinal 1 ; shi:treatise work:w . work:w a shi:Treatise ; shi:art shi:liuren .",
        [("shi:art shi:liuren", "shi:art shi:qimen", "A pattern is of")],
    ),
    "shi:Topic": (
        "topic:x a shi:Topic ; LABELS ; shi:ordinal 1 ; shi:treatise work:w . work:w a shi:Treatise ; shi:art shi:qimen .",
        [("shi:art shi:qimen", "shi:art shi:liuren", "A topic is of")],
    ),
    "shi:Statement": (
        "statement:x a shi:Statement ; STATEMENT . passage:p a shi:Passage .",
        [
            ('shi:quote "子"@lzh-hant', 'shi:quote "子"@zh-hant', "shi:quote"),
            ('shi:gloss "a"@en , "갑"@ko', 'shi:gloss "a"@en', "A gloss is needed"),
            ("passage:p a shi:Passage .", "", "shi:passage"),
        ],
    ),
    "shi:Judgment": (
        """
        judgment:x a shi:Judgment ; STATEMENT ; shi:pattern pattern:t ; shi:form form:f ; shi:general general:g ; shi:name "玄胎"@lzh-hant ;
            shi:reading reading:base ; shi:matter matter:m .
        passage:p a shi:Passage . pattern:t a shi:Pattern . form:f a shi:Form . form:g a shi:Form . general:g a shi:General .
        matter:m a skos:Concept . reading:base a shi:Value .
        """,
        [
            ("shi:form form:f ;", "", "one form, or else conditions"),
            (
                "shi:form form:f ;",
                "shi:form form:f ; shi:condition1 condition:c ;",
                "one form, or else conditions",
            ),
            ("shi:form form:f ;", "shi:form form:f , form:g ;", "shi:form"),
            ("general:g a shi:General", "general:g a shi:Stem", "shi:general"),
            ("; shi:matter matter:m", "", "shi:matter: Less than 1"),
            ("shi:pattern pattern:t ;", "", "Less than 1"),
        ],
    ),
    "shi:Definition": (
        "statement:x a shi:Definition ; STATEMENT ; shi:pattern pattern:t . passage:p a shi:Passage . pattern:t a shi:Pattern .",
        [("; shi:pattern pattern:t", "", "statement:x")],
    ),
    "shi:Method": (
        "statement:x a shi:Method ; STATEMENT ; shi:topic topic:t . passage:p a shi:Passage . topic:t a shi:Topic .",
        [("topic:t a shi:Topic", "topic:t a shi:Art", "statement:x: Value does not have class shi:Heading")],
    ),
    "shi:Remark": (
        "statement:x a shi:Remark ; STATEMENT ; shi:topic topic:t . passage:p a shi:Passage . topic:t a shi:Topic .",
        [("; shi:topic topic:t", "", "statement:x")],
    ),
    "shi:Caveat": (
        """
        caveat:x a shi:Caveat ; STATEMENT ; shi:hollows pattern:t ; shi:form form:f .
        passage:p a shi:Passage . pattern:t a shi:Pattern . form:f a shi:Form .
        """,
        [
            ("; shi:form form:f", "", "shi:form: Less than 1"),
            ("shi:hollows pattern:t", "shi:pattern pattern:t", "shi:hollows: Less than 1"),
        ],
    ),
    "shi:Emendation": (
        """
        emendation:x a shi:Emendation ; shi:passage passage:p ; shi:base "巳"@lzh-hant ; shi:proposed "己"@lzh-hant ; shi:kind kind:cuozi ;
            shi:status shi:adopted ; shi:certainty shi:certain ; prov:wasAttributedTo agent:editors ; shi:evidence "The parallel."@en .
        passage:p a shi:Passage . kind:cuozi a skos:Concept . shi:adopted a shi:Status . shi:certain a shi:Certainty .
        agent:editors a prov:Agent .
        """,
        [
            ('shi:proposed "己"@lzh-hant', 'shi:proposed ""@lzh-hant', "shi:proposed"),
            ('; shi:evidence "The parallel."@en', "", "shi:evidence: Less than 1"),
            ("shi:status shi:adopted", "shi:status shi:certain", "shi:status"),
            ("prov:wasAttributedTo agent:editors", "prov:wasAttributedTo passage:p", "prov:wasAttributedTo"),
        ],
    ),
    "shi:Status": (
        "shi:noted a shi:Status ; LABELS ; SOURCE .",
        [("shi:noted", "shi:perhaps", "shi:perhaps: Value")],
    ),
    "shi:Certainty": (
        "shi:x a shi:Certainty ; LABELS ; SOURCE .",
        [('"갑"@ko', '"갑"@zh-hant', "rdfs:label")],
    ),
    "skos:Concept": (
        """matter:x a skos:Concept ; skos:prefLabel "疾病"@zh-hant , "질병"@ko , "illness"@en .""",
        [(', "illness"@en', "", "A label is needed")],
    ),
    # ---- forms, rules, schools
    "shi:Form": (
        """
        form:x a shi:Form ; LABELS ; SOURCE ; COMMENT ; shi:warrant "The words."@en ; shi:needs shi:needsMonth .
        shi:needsMonth a shi:Input .
        """,
        [
            ('; shi:warrant "The words."@en', "", "shi:warrant: Less than 1"),
            ("; COMMENT", "", "rdfs:comment: A comment"),
            ("shi:needs shi:needsMonth", "shi:needs shi:month", "shi:needs"),
        ],
    ),
    "shi:Rule": (
        """
        rule:x a shi:Rule ; SOURCE ; COMMENT ; shi:stratum shi:judge ; shi:form form:f ; shi:body "initial(?c, ?t)" ; shi:head "exhibits(?c, ?j)" .
        shi:judge a shi:Stratum . form:f a shi:Form .
        """,
        [
            ('shi:body "initial(?c, ?t)"', 'rdf:value "initial(?c, ?t)"', "shi:body: Less than 1"),
            ("shi:stratum shi:judge", "shi:stratum shi:later", "shi:stratum"),
            ("; SOURCE", "", "dcterms:source"),
            ("; COMMENT", "", "rdfs:comment"),
        ],
    ),
    "shi:Stratum": (
        "shi:judge a shi:Stratum ; LABELS ; SOURCE ; COMMENT .",
        [("shi:judge a", "shi:later a", "shi:later: Value")],
    ),
    "shi:Input": (
        """shi:x a shi:Input ; LABELS ; SOURCE ; shi:giving "月"@zh-hant , "월"@ko , "--month"@en .""",
        [(', "--month"@en', "", "shi:giving: Less than 3")],
    ),
    "shi:Sequence": (
        """
        sequence:x a shi:Sequence ; LABELS ; shi:first branch:a ; shi:second branch:b ; shi:third branch:c .
        branch:a a shi:Branch . branch:b a shi:Branch . branch:c a shi:Branch .
        """,
        [
            ("; shi:third branch:c", "", "shi:third: Less than 1"),
            ("shi:first branch:a", "shi:first branch:a , branch:b", "shi:first: More than 1"),
        ],
    ),
    "shi:Series": (
        "series:x a shi:Series ; LABELS ; shi:sequence sequence:s . sequence:s a shi:Sequence .",
        [("; shi:sequence sequence:s", "", "shi:sequence: Less than 1")],
    ),
    "shi:Option": (
        """
        option:x a shi:Option ; LABELS ; COMMENT ; shi:key "void" ; shi:art shi:liuren ; shi:default school:a .
        school:a a shi:Value ; shi:ofOption option:x . school:b a shi:Value ; shi:ofOption option:x . shi:liuren a shi:Art .
        """,
        [
            (
                "school:a a shi:Value ; shi:ofOption option:x .",
                "school:a a shi:Value . school:c a shi:Value ; shi:ofOption option:x .",
                "is no value of the option",
            ),
            ('"void"', '"the void"', "shi:key"),
            ("school:b a shi:Value ; shi:ofOption option:x .", "", "Less than 2"),
        ],
    ),
    "shi:Value": (
        """school:x a shi:Value ; LABELS ; skos:notation "feng" ; shi:ofOption option:o ; shi:authority "六壬經緯 卷四" . option:o a shi:Option .""",
        [
            ('; shi:authority "六壬經緯 卷四"', "", "shi:authority: Less than 1"),
            ("option:o a shi:Option .", "", "shi:ofOption"),
        ],
    ),
    # ---- 奇門遁甲: the board
    "shi:Palace": (
        """
        palace:x a shi:Palace ; LABELS ; SOURCE ; COMMENT ; skos:notation "坎" ; shi:luoShu 1 ; shi:trigram "坎" ; shi:element element:e ;
            shi:branch branch:b ; shi:oppositePalace palace:y ; shi:nextClockwise palace:y .
        element:e a shi:Element . branch:b a shi:Branch . palace:y a shi:Palace .
        """,
        [
            ("shi:oppositePalace palace:y ;", "", "or else is the centre"),
            ("shi:luoShu 1", "shi:luoShu 10", "shi:luoShu"),
        ],
    ),
    "shi:HighPalace": (
        "palace:x a shi:HighPalace ; shi:luoShu 6 .",
        [("shi:luoShu 6", "shi:luoShu 4", "shi:luoShu")],
    ),
    "shi:LowPalace": (
        "palace:x a shi:LowPalace ; shi:luoShu 4 .",
        [("shi:luoShu 4", "shi:luoShu 5", "shi:luoShu")],
    ),
    "shi:Door": (
        """
        door:x a shi:Door ; LABELS ; SOURCE ; COMMENT ; skos:notation "休" ; shi:home palace:p ; shi:element element:e ; shi:luck shi:lucky .
        palace:p a shi:Palace . element:e a shi:Element . shi:lucky a shi:Luck .
        """,
        [
            ("shi:home palace:p", "shi:home element:e", "shi:home"),
            ("; shi:luck shi:lucky", "", "shi:luck: Less than 1"),
        ],
    ),
    "shi:Star": (
        """
        star:x a shi:Star ; LABELS ; SOURCE ; COMMENT ; skos:notation "蓬" ; shi:home palace:p ; shi:element element:e ; shi:luck shi:unlucky .
        palace:p a shi:Palace . element:e a shi:Element . shi:unlucky a shi:Luck .
        """,
        [("shi:home palace:p ;", "", "shi:home: Less than 1")],
    ),
    "shi:Spirit": (
        """
        spirit:x a shi:Spirit ; LABELS ; SOURCE ; COMMENT ; skos:notation "虎" ; shi:element element:e ; shi:seat 5 ;
            shi:sameSeat spirit:y ; shi:serves polarity:p .
        spirit:y a shi:Spirit . element:e a shi:Element . polarity:p a shi:Polarity .
        """,
        [("; shi:serves polarity:p", "", "says which"), ("shi:seat 5", "shi:seat 11", "shi:seat")],
    ),
    "shi:Format": (
        """
        format:x a shi:Format ; LABELS ; SOURCE ; COMMENT ; shi:luck shi:lucky ; shi:stemAbove stem:a ; shi:stemBelow stem:b .
        stem:a a shi:Stem . stem:b a shi:Stem . shi:lucky a shi:Luck .
        """,
        [
            ("; shi:stemBelow stem:b", "", "names what is above"),
            ("shi:luck shi:lucky", "shi:luck stem:a", "shi:luck"),
        ],
    ),
    "shi:FreeFormat": (
        "format:x a shi:FreeFormat .",
        [("shi:FreeFormat", "shi:FreeFormat , shi:GengFormat", "format:x")],
    ),
    "shi:GengFormat": (
        "format:x a shi:GengFormat ; shi:stemAbove stem:07-geng .",
        [("stem:07-geng", "stem:08-xin", "shi:stemAbove")],
    ),
    "shi:FixedGengFormat": (
        "format:x a shi:FixedGengFormat ; shi:stemBelow stem:i . stem:i a shi:Instrument .",
        [
            ("shi:stemBelow stem:i", "rdf:value stem:i", "Less than 1"),
            ("stem:i a shi:Instrument", "stem:i a shi:Marvel", "shi:stemBelow"),
        ],
    ),
    "shi:PillarGengFormat": (
        "format:x a shi:PillarGengFormat ; shi:signBelow sign:s . sign:s a shi:Sign .",
        [("; shi:signBelow sign:s", "", "shi:signBelow: Less than 1")],
    ),
    "shi:MissedFormat": (
        "format:x a shi:MissedFormat . condition:c a shi:Condition ; shi:subject format:x .",
        [("shi:subject format:x", "shi:object format:x", "A condition asks for it")],
    ),
    "shi:MissedSign": ("sign:x a shi:MissedSign , shi:Aid .", [(" , shi:Aid", "", "an aid or a bane")]),
    "shi:AvoidedSign": (
        "stem:x a shi:AvoidedSign . condition:x a shi:Condition ; shi:object stem:x .",
        [(" ; shi:object stem:x", "", "A condition asks that it be not there.")],
    ),
    "shi:ChartFormat": (
        "format:x a shi:ChartFormat .",
        [(" .", " ; shi:stemAbove stem:x .", "A format of the whole chart is in no palace.")],
    ),
    "shi:Displaced": (
        "chart:x a shi:Displaced ; shi:fallsIn chart:t . chart:t a shi:Seat .",
        [(" ; shi:fallsIn chart:t", "", "shi:fallsIn: Less than 1")],
    ),
    "shi:FlyingPlateMatter": (
        "condition:x a shi:FlyingPlateMatter , shi:Condition .",
        [(" , shi:Condition", "", "Conditions and judgments alone")],
    ),
    "shi:RelationReading": (
        """
        relation:x a shi:RelationReading ; COMMENT ; shi:underValue school:x ; shi:byRelation shi:y .
        school:x a shi:Value . shi:y a shi:Relation . shi:z a shi:PalaceRelation ; shi:readAs relation:x .
        """,
        [
            (" ; shi:byRelation shi:y", "", "shi:byRelation: Less than 1"),
            (" ; shi:underValue school:x", "", "shi:underValue: Less than 1"),
            (" ; shi:readAs relation:x", "", "It reads a relation of the text."),
        ],
    ),
    "shi:SignPair": (
        "sign:x a shi:SignPair ; shi:includes stem:a , door:b .",
        [("stem:a ,", "stem:a , star:c ,", "shi:includes: More than 2")],
    ),
    "shi:Thriving": (
        "strength:wang a shi:Thriving .",
        [("strength:wang", "strength:si", "strength:si: Value")],
    ),
    "shi:UnluckyStem": (
        "stem:07-geng a shi:UnluckyStem .",
        [("stem:07-geng", "stem:02-yi", "stem:02-yi: Value")],
    ),
    "shi:ShadowStem": ("stem:06-ji a shi:ShadowStem .", [("stem:06-ji", "stem:05-wu", "stem:05-wu: Value")]),
    "shi:Luck": (
        """shi:lucky a shi:Luck ; LABELS ; SOURCE ; COMMENT ; skos:notation "吉" .""",
        [("shi:lucky", "shi:fair", "shi:fair: Value")],
    ),
    "shi:Marvel": (
        "stem:x a shi:Marvel ; shi:layingOrder 9 .",
        [("layingOrder 9", "layingOrder 6", "shi:layingOrder")],
    ),
    "shi:Instrument": (
        "stem:x a shi:Instrument ; shi:layingOrder 1 . decade:d a shi:Decade ; shi:instrument stem:x .",
        [
            ("layingOrder 1", "layingOrder 7", "shi:layingOrder"),
            ("shi:instrument stem:x", "rdf:value stem:x", "Less than 1"),
        ],
    ),
    # ---- 奇門遁甲: what judgments ask
    "shi:Sign": (
        "sign:x a shi:Sign ; LABELS ; SOURCE ; COMMENT ; shi:requires shi:needsBirth . shi:needsBirth a shi:Input .",
        [
            ("shi:requires shi:needsBirth", "shi:requires shi:birth", "shi:requires"),
            ("; COMMENT", "", "rdfs:comment"),
        ],
    ),
    "shi:SignGroup": (
        "sign:x a shi:SignGroup ; LABELS ; SOURCE ; COMMENT ; shi:includes door:a , stem:b . door:a a shi:Door . stem:b a shi:Stem .",
        [
            (" , stem:b", "", "shi:includes: Less than 2"),
            ("stem:b a shi:Stem", "stem:b a shi:Palace", "shi:includes"),
        ],
    ),
    "shi:Aid": (
        """sign:x a shi:Aid ; LABELS ; SOURCE ; COMMENT ; shi:warrant "得奇門"@en .""",
        [('; shi:warrant "得奇門"@en', "", "shi:warrant: Less than 1")],
    ),
    "shi:Bane": (
        """sign:x a shi:Bane ; LABELS ; SOURCE ; COMMENT ; shi:warrant "凶格"@en .""",
        [('"凶格"@en', '""@en', "shi:warrant")],
    ),
    "shi:Role": (
        """role:x a shi:Role ; LABELS ; shi:topic topic:t ; shi:sign stem:s ; shi:warrant "以甲午辛為罪人"@lzh-hant . topic:t a shi:Topic . stem:s a shi:Stem .""",
        [
            ("; shi:sign stem:s", "", "shi:sign: Less than 1"),
            ('"以甲午辛為罪人"@lzh-hant', '"the offender"@en', "shi:warrant"),
        ],
    ),
    "shi:Condition": (
        """
        condition:x a shi:Condition ; shi:form form:f ; shi:subject door:d ; shi:relation shi:assails ; shi:object stem:s .
        form:f a shi:Form . door:d a shi:Door . stem:s a shi:Stem . shi:assails a shi:PalaceRelation .
        """,
        [
            ("shi:subject door:d ;", "", "A condition has a subject"),
            ("shi:form form:f ;", "", "shi:form: Less than 1"),
            ("stem:s a shi:Stem", "stem:s a shi:Element", "shi:object"),
            ("shi:assails a shi:PalaceRelation", "shi:assails a shi:State", "shi:relation"),
        ],
    ),
    "shi:SingleCondition": (
        "judgment:x a shi:SingleCondition ; shi:condition1 condition:a . condition:a a shi:Condition .",
        [
            (
                "condition1 condition:a",
                "condition1 condition:a ; shi:condition2 condition:a",
                "shi:condition2: More than 0",
            )
        ],
    ),
    "shi:DoubleCondition": (
        "judgment:x a shi:DoubleCondition ; shi:condition1 condition:a ; shi:condition2 condition:a . condition:a a shi:Condition .",
        [("; shi:condition2 condition:a", "", "shi:condition2: Less than 1")],
    ),
    "shi:TripleCondition": (
        "judgment:x a shi:TripleCondition ; shi:condition1 condition:a ; shi:condition2 condition:a ; shi:condition3 condition:a . condition:a a shi:Condition .",
        [("; shi:condition3 condition:a", "", "shi:condition3: Less than 1")],
    ),
    "shi:QuadrupleCondition": (
        """
        judgment:x a shi:QuadrupleCondition ; shi:condition1 condition:a ; shi:condition2 condition:a ; shi:condition3 condition:a ;
            shi:condition4 condition:a . condition:a a shi:Condition .
        """,
        [("shi:condition4 condition:a", "shi:condition4 door:d", "shi:condition4")],
    ),
    "shi:State": (
        """shi:x a shi:State ; LABELS ; SOURCE ; COMMENT ; shi:warrant "空亡"@en .""",
        [("; LABELS", "", "rdfs:label"), ('; shi:warrant "空亡"@en', "", "shi:warrant: Less than 1")],
    ),
    "shi:PalaceRelation": (
        "shi:x a shi:PalaceRelation , owl:ObjectProperty ; LABELS ; SOURCE ; COMMENT ; WORDING .",
        [
            (
                "a shi:PalaceRelation",
                "a shi:PalaceRelation , shi:BranchRelation ; rdfs:domain shi:Branch ; rdfs:range shi:Branch",
                "shi:x",
            ),
        ],
    ),
    # ---- 奇門遁甲: charts
    "shi:Seat": (
        """
        chart:x a shi:Seat ; shi:seatPalace palace:p ; shi:seatElement element:e ; shi:ownStem stem:s ; shi:earthStem stem:s ; shi:heavenStem stem:s ;
            shi:star star:t ; shi:door door:d ; shi:offers sign:a ; shi:lacks sign:b .
        chart:c a shi:QimenChart ; shi:hasSeat chart:x . palace:p a shi:Palace . element:e a shi:Element . stem:s a shi:Stem .
        star:t a shi:Star . door:d a shi:Door . door:e a shi:Door . sign:a a shi:Aid . sign:b a shi:Bane .
        """,
        [
            ("shi:lacks sign:b", "shi:lacks sign:a", "shi:lacks"),
            ("shi:door door:d", "shi:door door:d , door:e", "shi:door"),
            ("shi:hasSeat chart:x", "shi:hasSeat chart:y", "Less than 1"),
        ],
    ),
    "shi:VoidSeat": (
        """
        chart:x a shi:VoidSeat ; shi:seatBranch branch:b . chart:c shi:hasSeat chart:x ; shi:hourPair pair:p .
        pair:p shi:decade decade:d . decade:d shi:voidBranch branch:b .
        """,
        [("shi:voidBranch branch:b", "shi:voidBranch branch:c", "No branch of the seat")],
    ),
    "shi:MarvelSeat": (
        "chart:x a shi:MarvelSeat ; shi:heavenStem stem:m . stem:m a shi:Marvel .",
        [("stem:m a shi:Marvel", "stem:m a shi:Instrument", "chart:x")],
    ),
    "shi:LuckyDoorSeat": (
        "chart:x a shi:LuckyDoorSeat ; shi:door door:d . door:d shi:luck shi:lucky .",
        [("door:d shi:luck shi:lucky", "door:d shi:luck shi:unlucky", "chart:x")],
    ),
    "shi:LuckyFormatSeat": (
        "chart:x a shi:LuckyFormatSeat ; shi:heavenStem stem:s . stem:s a shi:Stem .",
        [("; shi:heavenStem stem:s", "", "shi:heavenStem: Less than 1")],
    ),
    "shi:UnluckyFormatSeat": (
        "chart:x a shi:UnluckyFormatSeat ; shi:heavenStem stem:s . stem:s a shi:Stem .",
        [("; shi:heavenStem stem:s", "", "shi:heavenStem: Less than 1")],
    ),
    "shi:NetSeat": (
        "chart:x a shi:NetSeat ; shi:heavenStem stem:10-gui . stem:10-gui a shi:Stem .",
        [("shi:heavenStem stem:10-gui", "shi:heavenStem stem:09-ren", "shi:heavenStem")],
    ),
    "shi:SoundGengSeat": (
        "chart:x a shi:SoundGengSeat ; shi:heavenStem stem:07-geng . stem:07-geng a shi:Stem .",
        [
            ("a shi:SoundGengSeat", "a shi:SoundGengSeat , shi:VoidSeat", "chart:x"),
            ("shi:heavenStem stem:07-geng", "shi:heavenStem stem:08-xin", "shi:heavenStem"),
        ],
    ),
    "shi:Placement": (
        """
        chart:x a shi:Placement ; shi:symbol stem:s ; shi:standsFor stem:s ; shi:fallsIn chart:t ; shi:elementHere element:e ; shi:vigour strength:w .
        chart:c a shi:QimenChart ; shi:hasPlacement chart:x . chart:t a shi:Seat . stem:s a shi:Stem . element:e a shi:Element .
        strength:w a shi:Strength .
        """,
        [
            ("shi:fallsIn chart:t", "shi:fallsIn chart:c", "shi:fallsIn"),
            ("strength:w a shi:Strength", "strength:w a shi:Kin", "shi:vigour"),
        ],
    ),
    "shi:BodyPlacement": (
        "chart:x a shi:BodyPlacement ; shi:symbol star:s . star:s a shi:Star .",
        [("star:s a shi:Star", "star:s a shi:Stem", "A body is a star")],
    ),
    "shi:PlainPlacement": (
        "chart:x a shi:PlainPlacement ; shi:symbol stem:s . stem:s a shi:Stem .",
        [("stem:s a shi:Stem", "stem:s a shi:Star", "Ranked by the plain")],
    ),
    "shi:Pillar": (
        """
        chart:x a shi:Pillar ; shi:pillarPair pair:p ; shi:pillarSign sign:s . chart:c a shi:QimenChart ; shi:hasPillar chart:x .
        pair:p a shi:Pair . sign:s a shi:Sign .
        """,
        [
            ("shi:pillarPair pair:p", "shi:pillarPair sign:s", "shi:pillarPair"),
            ("; shi:pillarSign sign:s", "", "shi:pillarSign"),
        ],
    ),
    # ---- the text layer
    "prov:Agent": ("agent:x a prov:Agent ; LABELS ; COMMENT .", [("; COMMENT", "", "rdfs:comment")]),
    "lrmoo:F1_Work": (
        """work:x a lrmoo:F1_Work ; rdfs:label "爾雅"@zh-hant .""",
        [('"爾雅"@zh-hant', '"爾雅"', "rdfs:label")],
    ),
    "lrmoo:F2_Expression": (
        "work:x a lrmoo:F2_Expression . work:w lrmoo:R3_is_realised_in work:x .",
        [("lrmoo:R3_is_realised_in", "lrmoo:R5_has_component", "An expression realises a work")],
    ),
    "shi:Work": ("work:x a shi:Work ; LABELS .", [(' , "a"@en', "", "rdfs:label: A label is needed")]),
    "cito:Citation": (
        """
        allusion:x a cito:Citation ; cito:hasCitingEntity passage:p ; cito:hasCitedEntity work:w ; cito:hasCitationCharacterization shi:alludesTo .
        passage:p a shi:Passage . work:w a shi:Work . shi:alludesTo rdfs:subPropertyOf cito:cites .
        """,
        [
            (
                "cito:hasCitationCharacterization shi:alludesTo",
                "cito:hasCitationCharacterization shi:generates",
                "characterized by",
            ),
            ("work:w a shi:Work", "work:w a shi:Passage", "What is cited"),
            ("passage:p a shi:Passage", "passage:p a shi:Work", "What cites"),
        ],
    ),
    "shi:Allusion": (
        """
        allusion:x a shi:Allusion ; shi:passage passage:p ; shi:allusiveWords "四牡"@lzh-hant ; shi:certainty shi:certain ;
            prov:wasAttributedTo agent:a ; cito:hasCitingEntity passage:p ; cito:hasCitedEntity work:w ; cito:hasCitationCharacterization shi:alludesTo .
        passage:p a shi:Passage . agent:a a prov:Agent . work:w a shi:Work . shi:certain a shi:Certainty .
        shi:alludesTo rdfs:subPropertyOf cito:cites .
        """,
        [
            ("cito:hasCitedEntity work:w ;", "", "is of open certainty"),
            ('"四牡"@lzh-hant', '"四牡"@ko', "shi:allusiveWords"),
            ("prov:wasAttributedTo agent:a ;", "", "prov:wasAttributedTo: Less than 1"),
        ],
    ),
    "shi:CommentaryAllusion": (
        """
        allusion:x a shi:CommentaryAllusion ; shi:passage passage:p ; shi:allusiveWords "四牡"@lzh-hant ; shi:certainty shi:open ;
            prov:wasAttributedTo agent:a ; cito:hasCitingEntity passage:p ; cito:hasCitationCharacterization shi:alludesTo ; shi:explains allusion:y .
        passage:p a shi:Passage . agent:a a prov:Agent . shi:open a shi:Certainty . allusion:y a shi:Allusion .
        shi:alludesTo rdfs:subPropertyOf cito:cites .
        """,
        [("shi:explains allusion:y", "shi:explains passage:p", "shi:explains")],
    ),
    "shi:Collation": (
        """
        parallel:x a shi:Collation ; shi:general general:g ; shi:palace branch:b ; shi:collates judgment:j ; shi:witness work:e ;
            shi:witnessName "解息"@lzh-hant ; shi:baseName "解紛"@lzh-hant ; shi:locator "KR3g0031:002-33a" ; shi:agreement shi:otherWords .
        general:g a shi:General . branch:b a shi:Branch . judgment:j a shi:Judgment . work:e a lrmoo:F2_Expression .
        shi:otherWords a shi:Agreement .
        """,
        [
            ("shi:agreement shi:otherWords", "shi:agreement shi:alike", "shi:agreement"),
            ('"解息"@lzh-hant', '"解息"@zh-hant', "shi:witnessName"),
        ],
    ),
    "shi:Agreement": (
        "shi:sameWords a shi:Agreement ; LABELS ; SOURCE ; COMMENT .",
        [("shi:sameWords", "shi:alike", "shi:alike: Value")],
    ),
    # ---- what a user loads, and text reuse
    "shi:Text": (
        """work:x a shi:Text ; rdfs:label "懸胎"@zh-hant .""",
        [("a shi:Text", "a shi:Text , shi:Treatise", "work:x")],
    ),
    "shi:File": (
        """
        chapter:x a shi:File ; shi:partOf work:w ; dcterms:source "a.txt" ;
            shi:digest "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" .
        work:w a shi:Text .
        """,
        [('"e3b0', '"E3B0', "shi:digest"), ('; dcterms:source "a.txt"', "", "dcterms:source: Less than 1")],
    ),
    "shi:Line": (
        """
        passage:x a shi:Line ; shi:partOf chapter:f ; shi:ordinal 1 ; shi:locator "001-1a" ; shi:baseText "懸胎"@lzh-hant .
        chapter:f a shi:File .
        """,
        [
            ("chapter:f a shi:File", "chapter:f a shi:Chapter", "shi:partOf"),
        ],
    ),
    "shi:Translation": (
        """statement:x a shi:Translation ; shi:partOf chapter:f ; shi:ordinal 1 ; rdf:value "현태"@ko . chapter:f a shi:File .""",
        [('; rdf:value "현태"@ko', "", "rdf:value: Less than 1")],
    ),
    "oa:Annotation": (
        "parallel:x a oa:Annotation ; oa:hasTarget parallel:a ; oa:hasBody parallel:b . parallel:a a oa:SpecificResource . parallel:b a oa:SpecificResource .",
        [("; oa:hasBody parallel:b", "", "oa:hasBody: Less than 1")],
    ),
    "oa:SpecificResource": (
        "parallel:x a oa:SpecificResource ; oa:hasSource passage:p ; oa:hasSelector parallel:s . parallel:s a oa:TextQuoteSelector .",
        [("oa:hasSource passage:p ;", "", "oa:hasSource: Less than 1")],
    ),
    "oa:TextQuoteSelector": (
        """parallel:x a oa:TextQuoteSelector ; oa:exact "懸胎" ; oa:prefix "曰" .""",
        [('oa:exact "懸胎"', 'oa:exact ""', "oa:exact")],
    ),
    "shi:Reuse": (
        """
        parallel:x a shi:Reuse ; oa:hasTarget parallel:a ; oa:hasBody parallel:a ; shi:reuseLayer shi:ngram ; shi:reuseStatus shi:candidate ; shi:score 31.5 .
        parallel:a a oa:SpecificResource . shi:ngram a shi:ReuseLayer . shi:candidate a shi:ReuseStatus .
        """,
        [
            ("shi:score 31.5", "shi:score -1.0", "shi:score"),
            ("shi:reuseStatus shi:candidate ;", "", "shi:reuseStatus: Less than 1"),
        ],
    ),
    "shi:ReuseLayer": (
        "shi:x a shi:ReuseLayer ; LABELS ; SOURCE ; COMMENT .",
        [("; COMMENT", "", "rdfs:comment")],
    ),
    "shi:ReuseStatus": (
        "shi:candidate a shi:ReuseStatus ; LABELS .",
        [("shi:candidate", "shi:maybe", "shi:maybe: Value")],
    ),
}

CHARTS = {
    "liuren": cast_liuren(day="庚申", hour="子", general="亥", month="寅"),
    "qimen": cast_qimen(dun="陽", ju=1, hour="丙寅"),
}
"""A chart of each art."""


@cache
def axioms() -> tuple[Quad, ...]:
    """The subclasses and subproperties of the ontology: shapes reach the members of subclasses."""
    store = load(files())
    wanted = [NamedNode(RDFS + "subClassOf"), NamedNode(RDFS + "subPropertyOf")]
    return tuple(
        q for p in wanted for q in store.quads_for_pattern(None, p, None) if isinstance(q.object, NamedNode)
    )


def failures(cls: str, turtle: str, node: str = "") -> list[str]:
    """What the shapes of a class find at a node of a graph: at the first subject, if none is named."""
    for word, words in WORDS.items():
        turtle = turtle.replace(word, words)
    store = Store()
    store.extend(axioms())
    store.load((HEADER + turtle).encode(), format=RdfFormat.TURTLE)
    focus = node or turtle.split()[0]
    names = [name.rpartition("/")[2] for name in shaped()[cls]]
    return [failure for failure in shapes(store, names) if re.match(rf"{re.escape(focus)}[ :]", failure)]


@cache
def shaped() -> dict[str, list[str]]:
    """The classes and nodes that are the target of shapes, as prefixed names, with the IRIs of the shapes."""
    store = load([HERE / "shapes.ttl"])
    found: dict[str, list[str]] = {}
    for predicate in ("sh:targetClass", "sh:targetNode"):
        for quad in store.quads_for_pattern(None, NamedNode(expand(predicate)), None):
            if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
                key = shorten(quad.object.value) + (" itself" if predicate == "sh:targetNode" else "")
                found.setdefault(key, []).append(quad.subject.value)
    return found


@pytest.mark.parametrize("cls", CASES)
def test_what_has_the_shape_conforms(cls: str) -> None:
    assert failures(cls, CASES[cls][0]) == []
    assert CASES[cls][1], "no spoilt graph"


@pytest.mark.parametrize(
    ("cls", "fault", "spoilt", "failure"),
    [
        pytest.param(cls, *case, id=f"{cls}-{n}")
        for cls, (_, cases) in CASES.items()
        for n, case in enumerate(cases, 1)
    ],
)
def test_what_is_spoilt_is_named(cls: str, fault: str, spoilt: str, failure: str) -> None:
    graph = CASES[cls][0]
    for word, words in WORDS.items():
        graph, fault, spoilt = (text.replace(word, words) for text in (graph, fault, spoilt))
    assert fault in graph
    found = failures(cls, graph.replace(fault, spoilt, 1))
    assert [f for f in found if failure in f], found
    assert len(found) == 1, found


def declared() -> set[str]:
    """The classes that the ontology declares, as prefixed names."""
    store = load(files())
    nodes = [q.subject for q in store.quads_for_pattern(None, TYPE, NamedNode(expand("owl:Class")))]
    return {shorten(node.value) for node in nodes if isinstance(node, NamedNode)}


def test_every_class_has_a_shape() -> None:
    assert declared() - set(shaped()) == set()


def test_every_shape_has_its_case() -> None:
    assert {cls for cls in shaped() if not cls.endswith(" itself")} - set(CASES) == {
        "shi:LiurenChart",
        "shi:QimenChart",
    }


def test_shape_reaches_the_members_of_subclasses() -> None:
    assert failures("shi:Statement", "judgment:x a shi:Judgment .") != []


@pytest.mark.parametrize(
    ("cls", "number"),
    [
        ("Element", 5),
        ("Stem", 10),
        ("Branch", 12),
        ("General", 12),
        ("GrowthStage", 12),
        ("Node", 12),
        ("MidTerm", 12),
        ("Decade", 6),
        ("Pair", 60),
    ],
)
def test_symbols_are_counted(cls: str, number: int) -> None:
    members = [f"term:x{count} a shi:{cls} ." for count in range(number + 1)]
    target = f"shi:{cls} itself"
    assert failures(target, " ".join(members[:-1]), f"shi:{cls}") == []
    assert len(failures(target, " ".join(members[:-2]), f"shi:{cls}")) == 1
    assert len(failures(target, " ".join(members), f"shi:{cls}")) == 1


def test_every_count_has_its_case() -> None:
    counted = {cls.removesuffix(" itself") for cls in shaped() if cls.endswith(" itself")}
    assert len(counted) == 9


@pytest.fixture(scope="module")
def whole() -> Store:
    """The doctrine with a chart of each art and its findings."""
    from kg.casting_graph import triples
    from kg.findings import shared

    store = Store()
    store.bulk_extend(shared().store)
    for chart in CHARTS.values():
        store.extend(Quad(*triple) for triple in triples(shared().cast(chart)))
    return store


def test_doctrine_and_charts_have_their_shapes(whole: Store) -> None:
    assert shapes(whole) == []


SPOILT_CHARTS = [
    # art, the property from which one value is taken, the failure
    ("liuren", "hasPlace", "shi:hasPlace: Less than 12"),
    ("liuren", "middle", "shi:middle: Less than 1"),
    ("liuren", "lesson3", "shi:lesson3: Less than 1"),
    ("liuren", "chose", "No value is chosen of this option."),
    ("liuren", "transmitsNot", "transmits or does not"),
    ("qimen", "hasSeat", "shi:hasSeat: Less than 9"),
    ("qimen", "chiefDoor", "shi:chiefDoor: Less than 1"),
    ("qimen", "ju", "shi:ju: Less than 1"),
    ("qimen", "chose", "No value is chosen of this option."),
]


@pytest.mark.parametrize(("art", "taken", "failure"), SPOILT_CHARTS)
def test_what_a_chart_lacks_is_named(art: str, taken: str, failure: str, whole: Store) -> None:
    chart = NamedNode(CHARTS[art].iri)
    quad = next(iter(whole.quads_for_pattern(chart, NamedNode(expand(f"shi:{taken}")), None)))
    whole.remove(quad)
    found = shapes(whole, [f"{art}-chart"])
    whole.add(quad)
    assert [f for f in found if f.startswith(shorten(chart.value)) and failure in f], found
    assert shapes(whole, [f"{art}-chart"]) == []


@pytest.mark.parametrize("art", ["liuren", "qimen"])
def test_two_values_of_one_option_are_named(art: str, whole: Store) -> None:
    chart = NamedNode(CHARTS[art].iri)
    other = Quad(chart, NamedNode(expand("shi:chose")), NamedNode(expand("school:boundary-00")))
    whole.add(other)
    found = shapes(whole, [f"{art}-chart"])
    whole.remove(other)
    assert found == [f"{shorten(chart.value)}: Two values are chosen of this option. (option:boundary)"]
