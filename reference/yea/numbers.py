"""How ECMAScript spells numbers: Number::toString (YEA 9.1), which JSON.stringify uses too.

Python and ECMAScript agree on the digits of a double, the fewest that read back as it. They disagree on where the
exponent starts, on how it is written, and on -0 and 1.0. A Python int may also be more exact than a double.
"""

_EXACT = 2**53
"""Up to here every integer is a double, so its own digits are the ones to show."""


def number_text(number: int | float) -> str:
    """A number as ECMAScript writes it: 1 for 1.0, 0 for -0.0, 1e+21, 1e-7, 12345678901234567000.

    An int beyond 2^53 is rounded to a double first, and to infinity beyond the range of doubles. Never raises.
    """
    if isinstance(number, int):
        if -_EXACT <= number <= _EXACT:
            return str(int(number))
        try:
            number = float(number)
        except OverflowError:
            return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    text = repr(number)
    if text.endswith(".0"):
        return text[:-2]
    if "e" in text:
        return _respelt(text)
    return _WORDS.get(text, text)


_WORDS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}

NO_NUMBERS = frozenset(_WORDS.values())
"""What `number_text` writes for what JSON cannot: null there (ECMAScript JSON.stringify)."""


def _respelt(text: str) -> str:
    """Python's exponent form, such as 1.5e-07, in the form that ECMAScript gives to a number of that size."""
    mantissa, _, exponent = text.partition("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    digits = mantissa.replace(".", "")
    point = int(exponent) + 1  # how many digits stand before the decimal point
    if len(digits) <= point <= 21:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"
