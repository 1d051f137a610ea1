"""The fixed data of the conformance service: the agenda, the menu and the terms."""

from reference.yea.types import Json

TITLES = (
    "Stand-up",
    "1:1 with Ana",
    "Design review",
    "Café with André",
    "Launch 🚀 party",
    "Retro\nwhat went well",
    "Lunch, long",
    "Budget; part 2",
    "Pipeline sync",
    "Planning",
)
"""Titles that a careless encoder gets wrong: beyond ASCII, beyond the BMP, with a line break, with signs."""

PEOPLE = ("ana.ruiz", "ana.li", "sam", "lee")
DAYS = ("2026-10-05", "2026-10-06")

TAGS = ("high-protein", "spicy", "vegan", "vegetarian")
DISHES = (
    "Bean stew",
    "Noodle soup",
    "Rice bowl",
    "Green curry",
    "Lentil pie",
    "Corn chowder",
    "Tofu wrap",
    "Beet salad",
)

MENU_ROWS = 400
CLAUSES = 140


def agenda(day: str | None = None) -> list[Json]:
    """Twenty events on two days, or those of one day."""
    events: list[Json] = []
    for number in range(20):
        date = DAYS[number // 10]
        if day in (None, date):
            events.append(
                {
                    "id": f"seed-{number + 1}",
                    "title": TITLES[number % 10],
                    "start": f"{date}T{8 + number % 10:02d}:30:00Z",
                    "who": PEOPLE[number % 4],
                }
            )
    return events


def menu(tag: str | None = None) -> list[Json]:
    """400 rows, or the 100 with a tag: row n, counted from 0, has the tag number n mod 4."""
    rows: list[Json] = []
    for number in range(MENU_ROWS):
        if tag in (None, TAGS[number % 4]):
            cents = 600 + (137 * number) % 900
            rows.append(
                {
                    "sku": f"m{number + 1:03d}",
                    "name": f"{DISHES[number % 8]} {number + 1}",
                    "price": f"{cents // 100}.{cents % 100:02d}",
                    "calories": 250 + (53 * number) % 700,
                }
            )
    return rows


def terms() -> str:
    """One ASCII text of more than 20,000 characters, in which no two clauses are the same."""
    return " ".join(
        f"Clause {number}. The shop delivers order number {number} of any day before noon, or {number} minutes "
        f"later, and takes back whatever is returned within {number + 7} days."
        for number in range(1, CLAUSES + 1)
    )
