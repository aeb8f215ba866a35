"""Documents beside each other, by decks and by what players do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from figures.edges.results import EdgeFigures
from figures.report.figure import NONE, error, grid, percent


def comparison(edges: Sequence[EdgeFigures]) -> Iterator[str]:
    """The main game by document, decks and policy, and the exact side wagers by decks. The parts
    behind it have what gives each figure again."""
    found = {_place(told): told for told in edges}
    documents = dict.fromkeys(document for document, _, _ in found)
    decks = sorted({count for _, count, _ in found})
    policies = list(dict.fromkeys(policy for _, _, policy in found))
    yield "<h2>The documents beside each other</h2>"
    yield grid(
        "Main game without the Super Bonus: what the house keeps per initial wager",
        ("document", "decks", *(head for name in policies for head in (name, "standard error"))),
        [
            (document, str(count), *_cells(found, document, count, policies))
            for document in documents
            for count in decks
            if any((document, count, policy) in found for policy in policies)
        ],
    )
    sides = {
        (told["origin"]["rules"], side["kind"], told["setting"]["decks"]): side["exact"]["edge"]
        for told in edges
        for side in (*told["sides"], *([told["button"]["wager"]] if told["button"] else ()))
    }
    if sides:
        yield grid(
            "Side wagers: what the house keeps, exactly",
            ("document", "wager", *(f"{count} decks" for count in decks)),
            [
                (rules, kind, *(_exactly(sides.get((rules, kind, count))) for count in decks))
                for rules, kind in dict.fromkeys((rules, kind) for rules, kind, _ in sides)
            ],
            words=(1,),
        )
    yield (
        "<p>The parts that follow have what gives each of these figures again, and every exact "
        "fraction.</p>"
    )


def _place(told: EdgeFigures) -> tuple[str, int, str]:
    return told["origin"]["rules"], told["setting"]["decks"], told["setting"]["policy"]


def _cells(
    found: Mapping[tuple[str, int, str], EdgeFigures],
    document: str,
    decks: int,
    policies: Sequence[str],
) -> Iterator[str]:
    for policy in policies:
        told = found.get((document, decks, policy))
        yield percent(told["main"]["per_initial"]["edge"]) if told else NONE
        yield error(told["main"]["per_initial"]) if told else NONE


def _exactly(edge: float | None) -> str:
    return NONE if edge is None else percent(edge)
