"""Changes that enable() makes, and disable() takes back."""

import os

_ABSENT = object()


class Changes:
    """Environment variables and attributes with the values that they had before.

    A value that has been changed again since then stays."""

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


class Switch:
    """What enable() and disable() of an integration have in common."""

    def __init__(self):
        self._changes = None

    @property
    def is_on(self):
        return self._changes is not None

    def turn_on(self, make):
        """Calls make(changes), unless it is on. If that fails, nothing stays changed."""
        if self.is_on:
            return
        changes = Changes()
        try:
            make(changes)
        except BaseException:
            changes.undo()
            raise
        self._changes = changes

    def turn_off(self):
        """Whether it was on."""
        if not self.is_on:
            return False
        self._changes.undo()
        self._changes = None
        return True
