"""What the twin's asks read: fixed rows and a long text."""

from typing import Any

PEOPLE = ("ana.ruiz", "ana.li", "dév", "李雷", "sam")
TITLES = ("Stand-up", "Café ☕ with Zoë", "Two\nlines", "1:1, “again”", "Retro 🎉", "-", "true")
DISHES = ("tacos", "ramen", "curry", "salad", "dal", "pho", "risotto", "mezze")
TAGS = ("high-protein", "spicy", "vegan", "vegetarian")
SENTENCE = "Clause {number}. The buyer and the seller agree on article {number} of these terms, and on nothing else. "


def agenda() -> list[dict[str, Any]]:
    """Return the twenty events that are always there; `who` is a list here."""
    return [
        {
            "start": f"2027-01-{1 + number:02}T09:{number:02}:00Z",
            "who": [PEOPLE[number % 5], PEOPLE[(number + 2) % 5]],
            "title": TITLES[number % 7],
            "id": f"seed-{number}",
        }
        for number in range(20)
    ]


def menu() -> list[dict[str, Any]]:
    """Return 400 rows, with prices that are fractions."""
    return [
        {
            "name": f"{DISHES[number % 8]} no. {number}",
            "sku": f"m{number:03}",
            "calories": 150 + 7 * number % 600,
            "price": 5 + (number * 37 % 1000) / 100,
        }
        for number in range(400)
    ]


def tags(number: int) -> tuple[str, ...]:
    """Return the tags of a row of the menu."""
    return tuple(tag for position, tag in enumerate(TAGS, start=2) if number % position == 0)


def terms() -> str:
    """Return an ASCII text of more than 20,000 characters."""
    return "".join(SENTENCE.format(number=number) for number in range(1, 240))
