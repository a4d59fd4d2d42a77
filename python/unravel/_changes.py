"""Changes that enable() makes, and disable() takes back."""

import os

_ABSENT = object()


class Changes:
    """Environment variables and attributes with the values that they had before.

    A value that somebody else has changed since then stays."""

    def __init__(self):
        self._undo = []

    def set_variable(self, name, value):
        before = os.environ.get(name)
        os.environ[name] = value

        def undo():
            if os.environ.get(name) != value:
                return
            if before is None:
                del os.environ[name]
            else:
                os.environ[name] = before

        self._undo.append(undo)

    def set_attribute(self, owner, name, value):
        before = vars(owner).get(name, _ABSENT)
        setattr(owner, name, value)

        def undo():
            if vars(owner).get(name) is not value:
                return
            if before is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

        self._undo.append(undo)

    def on_undo(self, action):
        self._undo.append(action)

    def undo(self):
        while self._undo:
            self._undo.pop()()
