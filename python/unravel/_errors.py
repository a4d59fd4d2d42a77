"""What goes wrong: an exception for the caller, a warning where the original PTX is used."""

import re


class UnravelError(Exception):
    """What is wrong, as the tool says it. `line` and `column` are those of the PTX, or None."""

    def __init__(self, message):
        super().__init__(message)
        place = re.search(r":(\d+):(\d+): error:", message)
        self.line, self.column = map(int, place.groups()) if place else (None, None)


class UnravelWarning(UserWarning):
    """PTX was not simplified; the original is used."""
