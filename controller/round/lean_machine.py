"""A machine of ``transitions`` whose events go straight through their transitions.

What a round uses of the library are conditions, ``before`` callbacks by name, internal transitions
and the order in which transitions are tried. An event of the library also builds an object for
each trigger, asks for six kinds of callbacks that no round has, and makes a dozen calls to a
logger; that is two thirds of the time of a round. Everything else (states, adding transitions,
their checks) is the library's; a test plays the same rounds on both.
"""

from __future__ import annotations

from typing import Any

from transitions import Event, Machine, MachineError


class LeanEvent(Event):
    """An event that tries the transitions of the model's state in order, and takes the first whose
    conditions hold."""

    def trigger(self, model: Any, *args: Any, **kwargs: Any) -> bool:
        """Whether a transition was taken.

        Raises:
            MachineError: no transition of this event starts in the model's state.
        """
        transitions = self.transitions.get(model.state)
        if transitions is None:
            raise MachineError(f"{self.name} cannot be triggered in {model.state}")
        for transition in transitions:
            for condition in transition.conditions:
                if not getattr(model, str(condition.func))(*args, **kwargs):
                    break
            else:
                for name in transition.before:
                    getattr(model, str(name))(*args, **kwargs)
                if transition.dest is not None:
                    model.state = transition.dest
                return True
        return False


class LeanMachine(Machine):
    """A machine with such events."""

    event_cls = LeanEvent
