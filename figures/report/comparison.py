"""Documents beside each other, by decks and by what players do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from figures.edges.results import EdgeFigures
from figures.report.figure import NONE, error, grid, percent


class MainRow(NamedTuple):
    """A row of the main game: ``unlike`` is in what its runs differ from others of this document
    with so many decks."""

    document: str
    decks: int
    unlike: str


def comparison(edges: Sequence[EdgeFigures]) -> Iterator[str]:
    """The main game by document, decks and policy, and the exact side wagers by decks. The parts
    behind it have what gives each figure again."""
    documents = _documents(edges)
    rows = _rows(edges, documents)
    policies = list(dict.fromkeys(told["setting"]["policy"] for told in edges))
    unlike = any(row.unlike for row in rows)
    yield "<h2>The documents beside each other</h2>"
    yield grid(
        "Main game without the Super Bonus: what the house keeps per initial wager",
        (
            *("document", "decks", *(["played"] if unlike else [])),
            *(head for name in policies for head in (name, "standard error")),
        ),
        [
            (
                *(row.document, str(row.decks), *([row.unlike or NONE] if unlike else [])),
                *_cells(of, policies),
            )
            for row, of in rows.items()
        ],
        words=(2,) if unlike else (),
    )
    sides: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    buttons = len({told["setting"]["weights"] for told in edges if told["button"]})
    for told, document in zip(edges, documents, strict=True):
        decks, weights = told["setting"]["decks"], told["setting"]["weights"]
        for side in told["sides"]:
            sides[document, side["kind"]][decks] = side["exact"]["edge"]
        if told["button"]:
            wager = told["button"]["wager"]
            kind = wager["kind"] + (f", weights {weights}" if buttons > 1 else "")
            sides[document, kind][decks] = wager["exact"]["edge"]
    if sides:
        counts = sorted({told["setting"]["decks"] for told in edges})
        yield grid(
            "Side wagers: what the house keeps, exactly",
            ("document", "wager", *(f"{count} decks" for count in counts)),
            [
                (*of, *(percent(exact[count]) if count in exact else NONE for count in counts))
                for of, exact in sides.items()
            ],
            words=(1,),
        )
    yield (
        "<p>The parts that follow have what gives each of these figures again, and every exact "
        "fraction.</p>"
    )


def _documents(edges: Sequence[EdgeFigures]) -> list[str]:
    """The document of each run, with its digest where another of its name has another one."""
    digests = defaultdict[str, set[str]](set)
    for told in edges:
        digests[told["origin"]["rules"]].add(told["origin"]["rules_digest"])
    return [
        rules if len(digests[rules]) == 1 else f"{rules} {told['origin']['rules_digest'][:8]}"
        for told in edges
        for rules in (told["origin"]["rules"],)
    ]


def _rows(
    edges: Sequence[EdgeFigures], documents: Sequence[str]
) -> Mapping[MainRow, Mapping[str, EdgeFigures]]:
    """Runs by policy in rows: documents in the order in which they come, each by decks."""
    groups = defaultdict[tuple[str, int], list[EdgeFigures]](list)
    for told, document in zip(edges, documents, strict=True):
        groups[document, told["setting"]["decks"]].append(told)
    order = list(dict.fromkeys(documents))
    rows = defaultdict[MainRow, dict[str, EdgeFigures]](dict)
    for document, decks in sorted(groups, key=lambda of: (order.index(of[0]), of[1])):
        group = groups[document, decks]
        policies = [told["setting"]["policy"] for told in group]
        unlike = _unlike(group, _setting)
        if len(set(zip(policies, unlike, strict=True))) < len(group):
            unlike = list(map(_joined, unlike, _unlike(group, _run)))
        told_before = Counter[tuple[str, str]]()
        for told, policy, words in zip(group, policies, unlike, strict=True):
            told_before[policy, words] += 1
            number = told_before[policy, words]  # more than 1: of another block, or given twice
            also = f"run {number}" if number > 1 else ""
            rows[MainRow(document, decks, _joined(words, also))][policy] = told
    return rows


def _setting(told: EdgeFigures) -> tuple[str, ...]:
    setting = told["setting"]
    return (
        "1 box" if setting["boxes"] == 1 else f"{setting['boxes']} boxes",
        f"{setting['penetration_percent']} % to the cut",
        "always insured" if setting["insured"] else "never insured",
        f"weights {setting['weights']}" if setting["weights"] else "no weights",
    )


def _run(told: EdgeFigures) -> tuple[str, ...]:
    return f"seed {told['origin']['seed']}", f"{told['rounds']:,} rounds"


def _unlike(
    group: Sequence[EdgeFigures], words_of: Callable[[EdgeFigures], tuple[str, ...]]
) -> list[str]:
    """Of each run the words that are not the same for all."""
    words = list(map(words_of, group))
    unlike = [
        place for place, of_all in enumerate(zip(*words, strict=True)) if len(set(of_all)) > 1
    ]
    return [_joined(*(of[place] for place in unlike)) for of in words]


def _joined(*words: str) -> str:
    return ", ".join(filter(None, words))


def _cells(of: Mapping[str, EdgeFigures], policies: Sequence[str]) -> Iterator[str]:
    for policy in policies:
        told = of.get(policy)
        yield percent(told["main"]["per_initial"]["edge"]) if told else NONE
        yield error(told["main"]["per_initial"]) if told else NONE
