"""L-BFGS: a quasi-Newton method that remembers its last steps instead of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lab.autograd import enable_grad, no_grad
from autograd_lab.core.op import functions
from autograd_lab.optim.line_search import Point, strong_wolfe
from autograd_lab.optim.making import zeros_like
from autograd_lab.optim.optimizer import Optimizer, check_lr, number


class LBFGS(Optimizer):
    """Step along an estimate of the Newton direction; every step calls the closure several times.

    Args:
        params: what to change; one group only.
        lr: the size of a step.
        max_iter: iterations in one `step()`.
        max_eval: calls of the closure in one `step()`; 5/4 of `max_iter` if not given.
        tolerance_grad: stop when no gradient is larger.
        tolerance_change: stop when neither a parameter nor the loss changes more.
        history_size: how many steps are remembered.
        line_search_fn: "strong_wolfe" searches for the size of each step.

    Raises ValueError for several groups, RuntimeError for another line search.
    Source: Nocedal and Wright, Numerical Optimization (2006), chapter 7;
    https://docs.pytorch.org/docs/stable/generated/torch.optim.LBFGS.html
    """

    def __init__(self, params: Any, lr: Any = 1, max_iter: int = 20, max_eval: int | None = None,
                 tolerance_grad: float = 1e-7, tolerance_change: float = 1e-9, history_size: int = 100,
                 line_search_fn: str | None = None) -> None:  # fmt: skip
        check_lr(lr)
        max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        defaults = {"lr": lr, "max_iter": max_iter, "max_eval": max_eval, "tolerance_grad": tolerance_grad,
                    "tolerance_change": tolerance_change, "history_size": history_size,
                    "line_search_fn": line_search_fn}  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Any] = self.param_groups[0]["params"]

    def _flat_grad(self) -> Any:
        grads = [zeros_like(p) if p.grad is None else p.grad for p in self._params]
        return functions["cat"]([grad.reshape(-1) for grad in grads], 0)

    def _move(self, size: Any, direction: Any) -> None:
        """Go along the direction."""
        start = 0
        for parameter in self._params:
            end = start + parameter.numel()
            parameter.add_(direction[start:end].view_as(parameter), alpha=size)
            start = end

    def _loss_at(self, closure: Callable, origin: list[Any], size: Any, direction: Any) -> tuple[float, Any]:
        """Return loss and gradient a step away, and come back."""
        self._move(size, direction)
        loss = float(closure())
        gradient = self._flat_grad()
        for parameter, value in zip(self._params, origin, strict=True):
            parameter.copy_(value)
        return loss, gradient

    def step(self, closure: Callable | None = None) -> Any:
        """Run up to `max_iter` iterations; return the loss before the first.

        Args:
            closure: clears the gradients, computes the loss and its gradients, and returns the loss.
        """
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        with no_grad():
            return self._iterate(enable_grad()(closure))

    def _iterate(self, closure: Callable) -> Any:
        group = self.param_groups[0]
        lr, limit = number(group["lr"]), group["tolerance_grad"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, calls = float(first_loss), 1
        state["func_evals"] += 1
        gradient = self._flat_grad()
        if gradient.abs().max() <= limit:
            return first_loss
        direction, size = state.get("d"), state.get("t")
        iteration = 0
        while iteration < group["max_iter"]:
            iteration += 1
            state["n_iter"] += 1
            direction = self._direction(state, gradient, direction, size, group["history_size"])
            state["prev_flat_grad"] = gradient.clone()
            before = loss
            # The first direction is the gradient itself, whose length says nothing: do not go further than lr.
            size = min(1.0, 1.0 / gradient.abs().sum()) * lr if state["n_iter"] == 1 else lr
            slope = gradient.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            new_calls = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                origin = [parameter.clone() for parameter in self._params]
                found, new_calls = strong_wolfe(
                    lambda t, origin=origin, d=direction: self._loss_at(closure, origin, t, d),
                    size, direction, Point(0, loss, gradient, slope), group["max_eval"] - calls,
                )  # fmt: skip
                loss, gradient, size = found.loss, found.gradient, found.size
                self._move(size, direction)
                flat = gradient.abs().max() <= limit
            else:
                self._move(size, direction)
                flat = False
                if iteration != group["max_iter"]:
                    loss = float(closure())
                    gradient = self._flat_grad()
                    flat = gradient.abs().max() <= limit
                    new_calls = 1
            calls += new_calls
            state["func_evals"] += new_calls
            small = group["tolerance_change"]
            if (iteration == group["max_iter"] or calls >= group["max_eval"] or flat
                    or direction.mul(size).abs().max() <= small or abs(loss - before) < small):  # fmt: skip
                break
        state |= {"d": direction, "t": size, "prev_loss": before}
        for name in ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss"):
            state[name] = state.pop(name)   # in torch's order
        return first_loss

    def _direction(self, state: dict, gradient: Any, direction: Any, size: Any, history: int) -> Any:
        """Return the next direction: minus the gradient, times the estimate of the inverse Hessian."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return gradient.neg()
        change = gradient.sub(state["prev_flat_grad"])
        step = direction.mul(size)
        curvature = change.dot(step)
        if curvature > 1e-10:
            for name, value in (("old_dirs", change), ("old_stps", step), ("ro", 1.0 / curvature)):
                if len(state[name]) == history:
                    state[name].pop(0)
                state[name].append(value)
            state["H_diag"] = curvature / change.dot(change)
        pairs = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        shares = state.setdefault("al", [None] * history)
        result = gradient.neg()
        for position, (change, step, inverse) in reversed(list(enumerate(pairs))):
            shares[position] = step.dot(result) * inverse
            result.add_(change, alpha=-shares[position])
        result = functions["mul"](result, state["H_diag"])
        for position, (change, step, inverse) in enumerate(pairs):
            result.add_(step, alpha=shares[position] - change.dot(result) * inverse)
        return result
