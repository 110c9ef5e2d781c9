"""The exercises and predictions of every chapter, one module a chapter, found by their key."""

from __future__ import annotations

import importlib
import pkgutil

from autograd_lab.course.model import Exercise, Prediction


class UnknownKey(KeyError):
    """The course has no exercise, or no prediction, under this key; the message names those that exist."""

    def __str__(self) -> str:
        # A KeyError shows its text in quotes, as if the sentence were the key.
        return str(self.args[0])


def chapters() -> tuple[str, ...]:
    """Return the numbers of the chapters that have exercises, in order."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removeprefix("chapter_") for name in names if name.startswith("chapter_")))


def of_chapter(chapter: str) -> tuple[dict[str, Prediction], dict[str, Exercise]]:
    """Return the predictions and the exercises of one chapter, each by key."""
    module = importlib.import_module(f"{__name__}.chapter_{chapter}")
    return {one.key: one for one in module.PREDICTIONS}, {one.key: one for one in module.EXERCISES}


def exercise(key: str) -> Exercise:
    """Return the exercise with this key, such as "06.4".

    Raises KeyError with the keys that exist.
    """
    return _find(key, 1, "exercise")


def prediction(key: str) -> Prediction:
    """Return the prediction with this key, such as "06.1".

    Raises KeyError with the keys that exist.
    """
    return _find(key, 0, "prediction")


def is_prediction(key: str) -> bool:
    """Return whether a key belongs to a prediction; an exercise, or a key that nobody has, is none."""
    try:
        return bool(prediction(key))
    except KeyError:
        return False


def _find(key: str, which: int, word: str):
    chapter = str(key).partition(".")[0]
    if chapter not in chapters():
        raise UnknownKey(f"there is no chapter {chapter!r} with {word}s; there are {', '.join(chapters())}")
    found = of_chapter(chapter)[which]
    if key not in found:
        raise UnknownKey(f"chapter {chapter} has no {word} {key!r}; it has {', '.join(found) or 'none'}")
    return found[key]
