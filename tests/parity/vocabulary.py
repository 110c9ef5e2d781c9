"""What random programs are made of: templates of statements, and custom Functions for them to call.

In a template `{a}` and `{b}` become names of tensors. A list of hook handles is at hand as `handles`, the custom
Functions as `F.Name`, and `log(…)` notes what a hook saw.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

# Shapes and values are small and exact in float32, so that printed digits cannot differ by rounding.
CREATE = (
    "torch.tensor([1., 2., 3.], requires_grad=True)",
    "torch.tensor([[1., -2., 0.5], [4., 0.25, -1.]], requires_grad=True)",
    "torch.tensor(2., requires_grad=True)",
    "torch.tensor([0.5, -1., 2.])",
    "torch.ones(2, 3)",
    "torch.zeros(3)",
    "torch.tensor([2., 1., -1.], dtype=torch.float64, requires_grad=True)",
    "torch.tensor([1, 2, 3])",
    "torch.nn.Parameter(torch.ones(2, 3))",
    "copy.deepcopy({a})", "copy.copy({a})", "pickle.loads(pickle.dumps({a}))", "grad_of({a})", "grad_of({a})",
    "{a}.clone().detach().requires_grad_()", "torch.zeros(2, 3).requires_grad_().t()",
)  # fmt: skip
UNARY = (
    "{a} * 2", "-{a}", "{a}.exp()", "{a}.tanh()", "{a}.sin()", "{a}.relu()", "{a}.abs()", "{a} ** 2", "{a}.clone()",
    "{a}.sigmoid()", "{a}.sum()", "{a}.sum(0)", "{a}.mean()", "{a} + 1", "1 - {a}", "{a} / 2", "{a}.double()",
    "{a}.detach()", "{a}.data", "{a}.sum(-1, keepdim=True)", "{a}.max()", "{a}.clamp(-1, 1)", "{a}.float()",
    "{a}.mul(3)", "{a}.cos()", "{a}.square()", "{a}.neg()", "{a}.prod()", "{a}.mean(0)", "{a}.cumsum(0)",
    "torch.where({a} > 0, {a}, 0.)", "torch.stack([{a}, {a}])", "torch.cat([{a}.reshape(-1), {a}.reshape(-1)])",
    "torch.zeros_like({a})", "{a}.softmax(0)", "{a}.amax(0)", "{a}.flip(0)", "{a}.repeat(2)",
)  # fmt: skip
BINARY = ("{a} + {b}", "{a} * {b}", "{a} - {b}", "{a} / {b}", "torch.maximum({a}, {b})", "{a}.add({b}, alpha=2)",
          "{a} @ {b}", "torch.where({a} > {b}, {a}, {b})", "torch.stack([{a}, {b}])")  # fmt: skip
VIEWS = (
    "{a}.view(-1)", "{a}[0]", "{a}[1:]", "{a}.t()", "{a}.reshape(-1)", "{a}.unsqueeze(0)", "{a}.squeeze()",
    "{a}.expand(2, 3)", "{a}.transpose(0, -1)", "{a}[..., 0]", "{a}.narrow(0, 0, 1)", "{a}[:, 1]", "{a}[None]",
    "{a}.unbind(0)[0]", "{a}.split(1)[0]", "{a}.chunk(2)[0]", "{a}.diagonal()", "{a}.permute(1, 0)", "{a}.flatten()",
    "{a}.view_as({a})", "{a}[::2]", "{a}.as_strided((2,), (1,))", "{a}.select(0, 0)", "{a}.contiguous()",
    "{a}.unbind(0)[-1]", "{a}.split(1, -1)[-1]", "{a}.chunk(2, -1)[-1]", "{a}.detach()[1:]", "{a}.data[:1]",
    "{a}.expand_as({b})", "torch.autograd.graph.get_gradient_edge({a}) and {a}[0]", "{a}.mT",
)  # fmt: skip
IN_PLACE = (
    "{a}.add_(1)", "{a}.mul_(2)", "{a}.mul_({b})", "{a}.add_({b})", "{a}.zero_()", "{a}[0] = 1.", "{a}[0] = {b}[0]",
    "{a}.sigmoid_()", "{a}.tanh_()", "{a}.copy_({b})", "{a} += 1", "{a} *= {b}", "{a}.sub_({b})", "{a}.detach_()",
    "{a}.fill_(2.)", "{a}[1:] = {b}[:1]", "{a}.data.add_(1)", "{a}.detach().mul_(2)", "{a}.requires_grad_()",
    "{a}.requires_grad_(False)", "{a}.grad = None", "{a}.data = {a}.detach() * 2", "{a}.relu_()", "{a}.neg_()",
    "{a}[{a} > 0] = 0.5", "{a}.clamp_(min=0)", "{a}.div_(2)", "{a}.pow_(2)", "{a}.sin_()", "{a}.unsqueeze_(0)",
    "{a}.t_()", "{a}[...] = {b}", "{a}.masked_fill_({a} > 1, 0.)", "{a}[{b} > 1] = {b}.sum()", "{a}[..., -1] += 2",
    "{a}[torch.tensor([0])] = 5.", "{a}[None, :1] = 3.", "{a}[{b} > 0] *= 2", "{a}.data = {b}.data",
    "{a}.data = {b}.detach().clone()", "{a}.shape == {b}.shape and {a}.set_({b}.detach())", "{a}.squeeze_()",
    "{a}.transpose_(0, -1)", "{a}.unbind(0)[0].mul_(2)", "{a}.split(1)[0].zero_()", "{a}.detach()[0].fill_(3.)",
    "{a}.view(-1).add_({b})", "{a}[0].copy_({b}[0])", "{a}.index_fill_(0, torch.tensor([0]), 1.)",
    "{a}.requires_grad = True",
    "{a}.addcmul_({b}, {b})", "{a}.copy_({a}.flip(0))", "{a}.grad.zero_()", "{a}.grad *= 2", "{a}.grad = {b}",
    "{a}.grad.detach_()", "{a}.grad = {a}.grad.clone()", "{a}.sub_(grad_of({a}))",
    "{a}.masked_fill_({b} > 0, {b}.sum())",
    "torch.autograd.graph.increment_version({a})", "{a}.lerp_({b}, 0.5)",
    "{a}.index_put_((torch.tensor([0]),), {b}[0])",
)  # fmt: skip
GRAPH = (
    "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward()", "{a}.retain_grad()",
    "{a}.backward(torch.ones_like({a}))", "torch.autograd.grad({a}.sum(), {b}, allow_unused=True)",
    "torch.autograd.grad({a}.sum(), {b})", "torch.autograd.grad({a}.sum(), {b}, retain_graph=True, create_graph=True)",
    "{a}.register_hook(lambda g: log('hook {a}', g)) and None", "{a}.register_hook(lambda g: g * 2) and None",
    "torch.autograd.grad({a}.sum(), [{a}, {b}], allow_unused=True, retain_graph=True)",
    "(lambda gs: gs[0] is not None and gs[0].sum().backward())(torch.autograd.grad({a}.sum(), {b}, create_graph=True, "
    "allow_unused=True))",
    "{a}.register_post_accumulate_grad_hook(lambda p: log('post {a}', p.grad)) and None",
    "{a}.grad_fn and {a}.grad_fn.register_prehook(lambda gs: log('pre {a}', *gs)) and None",
    "{a}.grad_fn and {a}.grad_fn.register_hook(lambda gi, go: log('post {a}', *gi, *go)) and None",
    "torch.autograd.backward([{a}.sum(), {b}.sum()])", "({a} * {b}).sum().backward(inputs=[{a}])",
    "({a} * {a}.detach()).sum().backward()", "{a}.sum().backward(create_graph=True)",
    "log(torch.autograd.grad({a}.sum(), [{a}, {b}], materialize_grads=True))",
    "log(torch.autograd.grad({a}, {b}, torch.ones_like({a}), allow_unused=True))",
    "log(torch.autograd.grad([{a}.sum(), {b}.sum()], [{b}], retain_graph=True))",
    "torch.autograd.backward([{a}, {b}], [torch.ones_like({a}), None], retain_graph=True)",
    "({a} * {b}).sum().backward(inputs=[{a}, {b}], retain_graph=True)",
    "with torch.autograd.set_detect_anomaly(True): {a}.sum().backward()",
    "log(torch.autograd.grad({a}.sum(), torch.autograd.graph.get_gradient_edge({b}), allow_unused=True))",
    "torch.autograd.backward(torch.autograd.graph.get_gradient_edge({a}), torch.ones_like({a}))",
    "{a}.grad.sum().backward()", "({a}.grad * {b}).sum().backward()",
)  # fmt: skip
HOOKS = (
    "handles.append({a}.register_hook(lambda g: log('handle {a}', g)))",
    "handles.append({a}.register_post_accumulate_grad_hook(lambda p: log('handle post {a}', p.grad)))",
    "handles.append({a}.grad_fn.register_hook(lambda gi, go: log('handle node {a}', *gi, *go)))",
    "handles and handles.pop().remove()", "handles and handles.pop(0).remove()",
    "handles.append(torch.autograd.graph.register_multi_grad_hook([{a}, {b}], lambda gs: log('multi', *gs)))",
    "handles.append(torch.autograd.graph.register_multi_grad_hook([{a}, {b}], lambda g: log('any', g), mode='any'))",
    "{a}.register_hook(lambda g: [handle.remove() for handle in handles] and None) and None",
    "{a}.register_hook(lambda g: {b}.grad) and None", "{a}.register_hook(lambda g: g.sum()) and None",
    "{a}.register_hook(lambda g: g.double()) and None", "{a}.register_hook(lambda g: 1 / 0) and None",
    "{a}.register_hook(lambda g: log('is', g is {a}.grad, g.requires_grad, torch.is_grad_enabled())) and None",
    "{a}.grad_fn.register_hook(lambda gi, go: tuple(None if g is None else g * 2 for g in gi)) and None",
    "{a}.grad_fn.register_prehook(lambda go: tuple(None if g is None else g * 3 for g in go)) and None",
    "{a}.grad_fn.next_functions[0][0].register_prehook(lambda go: log('next {a}', *go)) and None",
    "{a}.grad_fn.next_functions[-1][0].register_hook(lambda gi, go: log('last {a}', *gi, *go)) and None",
    "{a}.retain_grad()", "{a}.register_post_accumulate_grad_hook(lambda p: setattr(p, 'grad', None)) and None",
    "{a}.register_hook(lambda g: {b}.sum().backward(retain_graph=True)) and None",
)  # fmt: skip
FUNCTIONS = (
    "F.Double.apply({a})", "F.Dirty.apply({a})", "F.Mask.apply({a})[0]", "F.Mask.apply({a})[1]", "F.Same.apply({a})",
    "F.View.apply({a})", "F.Pair.apply({a}, {b})[0]", "F.Pair.apply({a}, {b})[1]", "F.Once.apply({a})",
    "F.Saves.apply({a})", "F.Wrong.apply({a})", "F.Setup.apply({a}, 3)", "F.DirtyView.apply({a})",
    "F.Undefined.apply({a}, {b})[1]", "F.Double.apply({a}[0])", "F.Dirty.apply({a}[0])", "F.Dirty.apply({a} * 1)",
)  # fmt: skip
STATES = (
    "torch.set_grad_enabled(False)", "torch.set_grad_enabled(True)", "torch.set_grad_enabled(True)",
    "torch.set_grad_enabled(True)", "log({a}.retains_grad, {a}.output_nr, {a}._is_view(), {a}.is_contiguous())",
    "log(sorted(n for n in dir({a}.grad_fn) if n.startswith('_saved')))", "log(str({a}), f'{{{a}}}', {a}.stride())",
    "log(*[getattr({a}.grad_fn, n) for n in sorted(dir({a}.grad_fn)) if n.startswith('_saved')])",
    "log(torch.autograd.graph.get_gradient_edge({a}))", "log({a}.tolist(), len({a}), bool({a}.sum() > 0))",
    "log({a}.numpy().tolist())", "log({a}.detach().numpy().sum(), float({a}.sum()))",
    "log({a}.is_leaf, {a}.requires_grad)",
    "log({a}.grad_fn.name(), {a}.grad_fn.next_functions[0][0].variable is {b})", "log({a} == {b}, {a} is {b})",
)  # fmt: skip
PACKED = (
    "({a} * {b})", "{a}.exp()", "({a} ** 2)", "F.Saves.apply({a})", "({a} @ {b})", "{a}.relu().sum()", "{a} / {b}",
    "{a}.prod()",
)  # fmt: skip
# What a statement may stand in; most stand alone.
AROUND = ("with torch.no_grad(): ", "with torch.inference_mode(): ", "with torch.enable_grad(): ")
# What is packed before an operation fails is not noted: torch packs first and computes then.
HOOKED = ("with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: (log('unpack', t), t)[1]): ",
          "with torch.autograd.graph.save_on_cpu(): ")  # fmt: skip


def functions(torch: Any) -> SimpleNamespace:
    """Make the custom Functions that programs call."""
    base, once = torch.autograd.Function, torch.autograd.function.once_differentiable

    def function(name: str, forward: Any, backward: Any, setup: Any = None) -> None:
        members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        if setup is not None:
            members["setup_context"] = staticmethod(setup)
        setattr(made, name, type(name, (base,), members))

    def dirty(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(3)

    def mask(ctx: Any, x: Any) -> tuple:
        positive = x > 0
        ctx.mark_non_differentiable(positive)
        ctx.save_for_backward(positive)
        return x * positive, positive

    def pair(ctx: Any, x: Any, y: Any) -> tuple:
        ctx.save_for_backward(x, y)
        return x * y, x + y

    def undefined(ctx: Any, x: Any, y: Any) -> tuple:
        ctx.set_materialize_grads(False)
        return x * 2, y * 3

    def saves(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    made = SimpleNamespace()
    function("Double", lambda ctx, x: x * 2, lambda ctx, g: g * 2)
    function("Dirty", dirty, lambda ctx, g: g * 3)
    function("DirtyView", lambda ctx, x: (ctx.mark_dirty(x), x.view(-1).mul_(2), x)[-1], lambda ctx, g: g * 2)
    function("Mask", mask, lambda ctx, g, _: g * ctx.saved_tensors[0])
    function("Same", lambda ctx, x: x, lambda ctx, g: g * 5)
    function("View", lambda ctx, x: x.view(-1), lambda ctx, g: g * 7)
    function("Pair", pair, lambda ctx, g, h: (g * ctx.saved_tensors[1] + h, g * ctx.saved_tensors[0] + h))
    function("Once", lambda ctx, x: x * 4, once(lambda ctx, g: g * 4))
    function("Saves", saves, lambda ctx, g: g * ctx.saved_tensors[1])
    function("Wrong", lambda ctx, x: x * 1, lambda ctx, g: g.sum().reshape(1, 1, 1).expand(1, 2, 5))
    function("Setup", lambda x, k: x * k, lambda ctx, g: (g * ctx.k, None),
             lambda ctx, inputs, output: setattr(ctx, "k", inputs[1]))  # fmt: skip
    function("Undefined", undefined, lambda ctx, g, h: (g, None if h is None else h * 3))
    return made
