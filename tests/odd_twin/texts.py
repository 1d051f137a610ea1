"""What the twin's asks read: fixed rows and a long text."""

from typing import Any

PEOPLE = ("ana.ruiz", "ana.li", "dév", "李雷", "sam")
TITLES = ("Stand-up", "Café ☕ with Zoë", "Two\nlines", "1:1, “again”; or not", "Retro 🚀", "-", "true")
DISHES = ("tacos", "ramen", "curry", "salad", "dal", "pho", "risotto", "mezze")
TAGS = ("high-protein", "spicy", "vegan", "vegetarian")
SENTENCE = "Clause {number}. The buyer and the seller agree on article {number} of these terms, and on nothing else. "


def agenda() -> list[dict[str, Any]]:
    """Return the twenty events that are always there, with a list in each besides."""
    return [
        {
            "start": f"2027-01-{1 + number:02}T09:{number:02}:00Z",
            "who": PEOPLE[number % 5],
            "others": [PEOPLE[(number + 2) % 5], number / 2],
            "title": TITLES[number % 7],
            "id": f"seed-{number}",
        }
        for number in range(20)
    ]


def menu() -> list[dict[str, Any]]:
    """Return 400 rows, with a fraction in each besides."""
    return [
        {
            "name": f"{DISHES[number % 8]} no. {number}",
            "sku": f"m{number:03}",
            "calories": 150 + 7 * number % 600,
            "price": f"{5 + number * 37 % 1000 / 100:.2f}",
            "stars": number % 11 / 2,
        }
        for number in range(400)
    ]


def tag_of(number: int) -> str:
    """Return the tag of a row of the menu."""
    return TAGS[number % 4]


def terms() -> str:
    """Return an ASCII text of more than 20,000 characters."""
    return "".join(SENTENCE.format(number=number) for number in range(1, 240))
