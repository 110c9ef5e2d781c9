"""Context managers that are decorators too, for functions and for generators, as torch's grad modes are."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Generator
from typing import Any

CLASS_DECORATED = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or "
    "methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method "
    "and nothing else."
)


def _wrap_generator(make_context: Callable, function: Callable) -> Callable:
    """Enter the context whenever the generator runs, and leave it whenever it hands a value out."""

    @functools.wraps(function)
    def generator_context(*args: Any, **kwargs: Any) -> Generator:
        inner = function(*args, **kwargs)
        try:
            with make_context():
                value = inner.send(None)
            while True:
                try:
                    sent = yield value
                except GeneratorExit:
                    with make_context():
                        inner.close()
                    raise
                except BaseException as error:
                    with make_context():
                        value = inner.throw(error)
                else:
                    with make_context():
                        value = inner.send(sent)
        except StopIteration as end:
            return end.value

    return generator_context


def context_decorator(make_context: Callable, function: Callable) -> Callable:
    """Return `function` wrapped so that each call (of a generator: each step) runs in a fresh context."""
    from inspect import isgeneratorfunction

    if isgeneratorfunction(function):
        return _wrap_generator(make_context, function)

    @functools.wraps(function)
    def decorate_context(*args: Any, **kwargs: Any) -> Any:
        with make_context():
            return function(*args, **kwargs)

    return decorate_context


class _DecoratorContextManager:
    """A context manager whose instances also decorate functions."""

    def __call__(self, orig_func: Any) -> Any:
        if isinstance(orig_func, type):
            warnings.warn(CLASS_DECORATED, FutureWarning, stacklevel=2)

            def function(*args: Any, **kwargs: Any) -> Any:
                return orig_func(*args, **kwargs)
        else:
            function = orig_func
        return context_decorator(self.clone, function)

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        raise NotImplementedError

    def clone(self) -> Any:
        """Return a new context of the same kind."""
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One that takes no argument, so that it also decorates without parentheses."""

    def __new__(cls, orig_func: Any = None) -> Any:
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)
