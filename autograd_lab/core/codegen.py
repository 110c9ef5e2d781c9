"""Write, as Python source, the functions that one would write by hand for an operation: forward and both backwards.

`op` gives a parsed declaration; this room turns it into text. Compiled functions are registered with linecache, so
tracebacks and `inspect.getsource` show them.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.core.node import ACCUMULATE_SEQUENCE


def call_arguments(decl: Any, tail: str = "_a") -> str:
    """Return the argument list of the kernel call: arrays for tensors, the values themselves for the rest."""
    parts = []
    for name, parameter in decl.parameters.items():
        value = name + tail if name in decl.tensor_names else public(name)
        parts.append(f"{name}={value}" if parameter.kind is parameter.KEYWORD_ONLY else value)
    return ", ".join(parts)


def signature(decl: Any) -> str:
    """Return the public parameter list: the kernel's, with torch's `input` for `self`, and `out` where allowed."""
    parts, keyword_only = [], False
    for name, parameter in decl.parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        text = public(name)
        if parameter.default is not parameter.empty:
            text += f"={name}_default"
        elif name == "dim" and takes_axis(decl):
            text += "=None"     # it may come as `axis`
        parts.append(text)
    extras = (["out=None"] if decl.out else []) + [f"{theirs}=None" for theirs in numpy_names(decl)]
    if extras:
        parts += ([] if keyword_only else ["*"]) + extras
    return ", ".join(parts)


def takes_axis(decl: Any) -> bool:
    """Say whether a required `dim` is the last parameter without a default, so that it may be left out for `axis`."""
    required = [name for name, parameter in decl.parameters.items()
                if parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY]
    return required[-1:] == ["dim"] and decl.is_public


def numpy_names(decl: Any) -> dict[str, str]:
    """Return NumPy's spellings of parameters that torch takes too."""
    return {theirs: ours for ours, theirs in (("dim", "axis"), ("keepdim", "keepdims")) if ours in decl.parameters}


def again(decl: Any, operator: bool, renamed: dict[str, str] | None = None) -> str:
    """Return the arguments that hand a call on as it came, some of them under NumPy's names."""
    parts = []
    for name, parameter in decl.parameters.items():
        value = public(name)
        for theirs, ours in (renamed or {}).items():
            if ours == name:
                value = f"{name} if {theirs} is None else {theirs}"
        parts.append(f"{public(name)}={value}" if parameter.kind is parameter.KEYWORD_ONLY else value)
    return ", ".join(parts + (["out=out"] if decl.out and not operator else []))


def prelude(decl: Any, operator: bool) -> list[str]:
    """Return the lines that send a call to another declaration: NumPy's names, other overloads of the name."""
    lines = []
    if names := numpy_names(decl):
        lines += [f"    if {' or '.join(f'{name} is not None' for name in names)}:",
                  f"        return function({again(decl, operator, names)})"]
    if takes_axis(decl):
        lines += ["    if dim is None:", f"        raise missing_argument({decl.name!r}, 'dim')"]
    if decl.redirect:
        redirect = "operator_redirect" if operator else "redirect"
        lines += [f"    if {decl.redirect[0]}:", f"        return {redirect}({again(decl, operator)})"]
    return lines


def public(name: str) -> str:
    """Return the public name of a kernel parameter."""
    return {"self": "input", "mode": "mode_"}.get(name, name)      # `mode` is the name of the thread's modes in there


def tensors(decl: Any) -> str:
    """Return the public names of all the tensors, as the inside of a tuple."""
    return "".join(f"{public(name)}, " for name in decl.tensor_names)


def needed(decl: Any, name: str) -> str:
    """Return the condition under which `name` must be saved: a row that uses it has somewhere to send its gradient."""
    rows = [row for row in decl.inputs if name in decl.uses[row]]
    return "" if rows == decl.inputs and len(rows) == 1 else " or ".join(f"{row}_node is not None" for row in rows)


def coerce(decl: Any, operator: bool) -> list[str]:
    """Return the lines that turn numbers into tensors and refuse what is neither."""
    lines = []
    names = decl.tensor_names
    if decl.numbers and len(names) >= 2:
        for name in reversed(names):
            others = [other for other in names if other != name]
            like = public(next((other for other in others if other in decl.promoted), others[0]))
            here = public(name)
            optional = f"{here} is not None and " if name in decl.optional else ""
            lines.append(f"    if {optional}type({here}) is not Tensor:")
            lines += ["        try:", f"            array = {like}._array",
                      f"            found = known_number((type({here}), {here}, array.dtype, array.__class__))",
                      "        except (AttributeError, TypeError):", "            found = None",
                      f"        {here} = operand({here}, {like}, {decl.name!r}, {name!r}, {operator})"
                      " if found is None else found"]
            if operator:
                lines += [f"        if {here} is NotImplemented:", "            return NotImplemented"]
    if decl.out and not operator:
        arguments = ", ".join(
            f"{public(name)}={public(name)}" if parameter.kind is parameter.KEYWORD_ONLY else public(name)
            for name, parameter in decl.parameters.items()
        )
        lines += ["    if out is not None:", f"        return write_out(out, function, {arguments})"]
    return lines


def unwrap(decl: Any) -> list[str]:
    """Return the lines that take the arrays out of the tensors."""
    lines = ["    try:"]
    for name in decl.tensor_names:
        optional = f" if {public(name)} is not None else None" if name in decl.optional else ""
        lines.append(f"        {name}_a = {public(name)}._array{optional}")
    if decl.view:
        name = decl.inputs[0]
        lines += [f"        if {name}_a.__class__ is not ndarray:",
                  f"            {name}_a = materialize({public(name)})"]
    lines += ["    except AttributeError:",
              f"        raise not_a_tensor({decl.name!r}, {decl.tensor_names!r}, ({tensors(decl)})) from None"]
    return lines


def present(decl: Any, name: str, test: str) -> str:
    """Return a test on the array of an input, which for an optional input holds only if it is there."""
    return f"({name}_a is not None and {test})" if name in decl.optional else test


def promotion(decl: Any) -> list[str]:
    """Return the lines that bring the operands to one dtype, as torch's promotion says."""
    names = [name for name in decl.tensor_names if name in decl.promoted]
    if not decl.dtype or not names:
        return []
    lines = []
    if len(names) == 1:
        if decl.dtype == "float":
            lines = [f"    if {names[0]}_a.dtype.kind != 'f':", f"        {names[0]}_a = to_float({names[0]}_a)"]
        return lines
    first = names[0]
    different = " or ".join(present(decl, name, f"{first}_a.dtype is not {name}_a.dtype") for name in names[1:])
    if decl.dtype == "float":
        different += f" or {first}_a.dtype.kind != 'f'"
    target = "".join(f"{name}_a, " for name in names)
    inputs = "".join(f"{public(name)}, " for name in names)
    check = [f"        checks({', '.join(f'{name}_a' for name in names)})"] if decl.checks else []
    lines += [f"    if {different}:", *check, f"        {target}= promoted({decl.dtype == 'float'}, ({inputs}))",
              "        mixed = True", "    else:", "        mixed = False"]
    return lines


def saved_input(decl: Any, name: str) -> str:
    """Return an input if the node is to save it, else None, as the inside of a tuple; used before there is a node."""
    rows = [public(row) for row in decl.inputs if name in decl.uses[row]]
    test = " or ".join(f"{row} is not None and {row}._node is not None" for row in rows)
    return f"{public(name)} if {test} else None, "


def kernel_call(decl: Any) -> list[str]:
    """Return the lines that run the kernel, with NumPy's shape error turned into torch's."""
    call = f"made = kernel({call_arguments(decl)})"
    asked = tensors(decl) if decl.inputs else ""        # a comparison asks nobody for their place in the graph
    saved = "".join(saved_input(decl, name) for name in decl.saved if name in decl.tensor_names)
    lines = ["    try:", f"        {call}", "    except Exception:",
             f"        forbidden_first(({asked}), ({saved}))", "        raise"]  # fmt: skip
    if decl.dtype and len(decl.promoted) > 1:
        arrays = "".join(f"{name}_a, " for name in decl.tensor_names if name in decl.promoted)
        lines = ["    try:", f"        {call}", "    except (ValueError, RuntimeError) as error:",
                 f"        raise broadcast_error(error, ({arrays}), ({asked}), ({saved})) from None"]
    if decl.rows_only:
        one = "made[0]" if decl.outputs else "made"
        lines += [f"    if {one}.ndim > 1 and not {one}.flags.c_contiguous:", "        made = in_row_order(made)"]
    elif not decl.view and not decl.outputs:
        arrays = "".join(f"{name}_a, " for name in decl.tensor_names)
        if decl.dtype and len(decl.promoted) > 1:
            first = next(f"{name}_a" for name in decl.tensor_names if name in decl.promoted)
            lines += [f"    if made.ndim > 1 and not (made.flags.c_contiguous and {first}.flags.c_contiguous):",
                      f"        made = laid_out(made, ({arrays}))"]
        else:
            lines += ["    if made.ndim > 1 and not made.flags.c_contiguous:",
                      f"        made = settled(made, ({arrays}))"]
    return lines


def fix_lines(decl: Any) -> list[str]:
    """Return the lines that decide, at forward time, whether gradients must be reduced or cast."""
    inputs = [name for name in decl.inputs if name not in decl.optional]
    pairs = "".join(f"({name}_a, {public(name)}), " for name in decl.inputs)
    result = "made" if not decl.outputs else "made[0]"
    if decl.fix == "always":
        return [f"    node.fix = fits(({pairs}))"]
    if decl.fix == "never" or len(decl.tensor_names) == 1 or not decl.dtype:
        return ["    node.fix = None"]
    names = [name for name in decl.tensor_names if name in decl.promoted]
    if len(names) == 2 == len(decl.tensor_names) and set(inputs) == set(names):
        test = f"mixed or {names[0]}_a.shape != {names[1]}_a.shape"
    else:
        unlike = [present(decl, name, f"{name}_a.shape != {result}.shape") for name in decl.inputs]
        test = "mixed or " + " or ".join(unlike)
    return [f"    node.fix = fits(({pairs})) if {test} else None"]


def results(decl: Any) -> list[str]:
    """Return the lines that wrap the kernel's value."""
    if decl.outputs:
        return [f"    {name}_t = new(Tensor); {name}_t._array = made[{k}]; {name}_t._cell = None; "
                f"{name}_t._extra = None; {name}_t._node = None" for k, name in enumerate(decl.outputs)]
    lines = ["    result = new(Tensor)", "    result._array = made", "    result._extra = None"]
    if decl.view:
        return [*lines, "    result._node = None", f"    make_view(result, {public(decl.inputs[0])})"]
    return [*lines, "    result._cell = None"]


def returned(decl: Any) -> str:
    """Return the expression that the forward returns."""
    if not decl.outputs:
        return "result"
    return f"pack_outputs(({''.join(name + '_t, ' for name in decl.outputs)}))"


def forward(decl: Any, operator: bool = False) -> list[str]:
    """Return the source of the forward function."""
    lines = [f"def forward({signature(decl)}):"] + prelude(decl, operator) + coerce(decl, operator)
    lines += unwrap(decl) + promotion(decl) + kernel_call(decl) + results(decl)
    if not decl.inputs:
        lines += [] if decl.outputs else ["    result._node = None"]
        return [*lines, "    if not mode.plain:", f"        unrecorded({returned(decl)}, ({tensors(decl)}))",
                f"    return {returned(decl)}"]
    nodes = [f"{name}_node" for name in decl.inputs]
    for name in decl.inputs:
        optional = f" if {public(name)} is not None else None" if name in decl.optional else ""
        lines.append(f"    {name}_node = {public(name)}._node{optional}")
    nothing = " and ".join(f"{node} is None" for node in nodes)
    extra = f"{decl.extra_condition} or " if decl.extra_condition else ""
    # Operations on inference tensors alone are not recorded; but a clone is the way to make a normal tensor of one.
    if decl.name in ("clone", "_to_copy"):
        records = "local.grad"
    else:
        listed = "".join(f"*({public(name)} or ()), " for name in decl.lists)
        records = f"records(({tensors(decl)}{listed}))"
    lines += [f"    if {extra}{nothing} or not (mode.plain or {records}):"]
    if not decl.outputs:
        lines += ["        result._node = None"]
    lines += ["        if not mode.plain:", f"            unrecorded({returned(decl)}, ({tensors(decl)}))",
              f"        return {returned(decl)}"]
    if "dtype" in decl.parameters and not decl.extra_condition:     # a dtype asked for may have no gradients
        lines += ["    if made.dtype.kind != 'f':", "        raise undifferentiable(made)"]
    lines += ["    node = Node()", "    node.seq = sequence(); node.clock = mode.clock; node.extra = None"]
    edges = f"({''.join(node + ', ' for node in nodes)})"
    if decl.node_name == "NotImplemented":      # torch gives this node edges only where a gradient is wanted
        edges = f"tuple([edge for edge in {edges} if edge is not None])"
        lines.append(f"    node.seq = {ACCUMULATE_SEQUENCE}")
    lines += [f"    node.edges = {edges}"] + fix_lines(decl)
    saved = []
    for name in decl.saved:
        condition = needed(decl, name)
        if name in decl.result_names:
            tensor = f"{name}_t" if decl.outputs else "result"
            if decl.view:
                cell = f"    {name}_cell = result._cell"
            else:
                cell = f"    {name}_cell = {tensor}._cell = Cell()"
            lines.append(cell)
            value = f"{tensor}._array"
            saved += [value, f"{name}_cell"]
            continue
        if name.endswith("_sizes") and name[:-6] in decl.tensor_names:
            value = f"{name[:-6]}_a.shape"
        elif name.endswith("_dtype") and name[:-6] in decl.tensor_names:
            value = f"{name[:-6]}_a.dtype"
        elif name.endswith("_numel") and name[:-6] in decl.tensor_names:
            value = f"{name[:-6]}_a.size"
        elif name.endswith("_dim") and name[:-4] in decl.tensor_names:
            value = f"{name[:-4]}_a.ndim"
        elif "_argsize_" in name and name.partition("_argsize_")[0] in decl.tensor_names:
            stem, _, place = name.partition("_argsize_")
            value = f"{stem}_a.shape[{place.replace('minus_', '-')}]"
        elif name.endswith("_strides") and name[:-8] in decl.tensor_names:
            value = f"strides_of({name[:-8]}_a)" + (f" if {condition} else ()" if condition else "")
        else:
            value = public(name)
        saved.append(f"({value} if {condition} else None)" if condition and name in decl.tensor_names else value)
    lines.append(f"    node.saved = ({''.join(value + ', ' for value in saved)})")
    lines += ["    frame = getframe(1)", "    code = frame.f_code",
              "    node.site = (code, frame.f_lasti) if code.co_filename in user_files else user_frame()"]
    if decl.outputs:
        differentiable = [name for name in decl.outputs if name in decl.differentiable]
        for name in differentiable:
            edge = "node" if len(differentiable) == 1 else f"Output(node, {differentiable.index(name)})"
            lines.append(f"    {name}_t._node = {edge}")
    else:
        lines.append("    result._node = node")
    lines += ["    if not mode.plain:"]
    if operator:    # torch turns a TypeError inside an operator, such as a pack hook's, into NotImplemented
        lines += ["        try:", "            special(node, saved_names, result_names)", "        except TypeError:",
                  "            return NotImplemented"]
    else:
        lines += ["        special(node, saved_names, result_names)"]
    lines += [f"    return {returned(decl)}"]
    return lines


def read_saved(decl: Any, recorded: bool) -> list[str]:
    """Return the lines that unpack what was saved and check the versions."""
    lines = ["    saved = node.saved", "    if saved.__class__ is not tuple:", "        saved = unpack(node)"]
    if not recorded:
        lines += ["        if saved.__class__ is not tuple:", f"            return misfit(node, saved, {decl.grad_name})"]  # noqa: E501
    names = []
    for name in decl.saved:
        names += [name, f"{name}_cell"] if name in decl.result_names else [name]
    if names:
        lines.append(f"    {', '.join(names)}, = saved")
    if len(decl.inputs) > 1:
        lines.append(f"    {', '.join(name + '_node' for name in decl.inputs)}, = node.edges")
    for name in decl.saved:
        if name in decl.result_names:
            if recorded:
                nr = decl.result_names.index(name)
                lines.append(f"    {name} = result_tensor(node, {name}, {name}_cell, {nr})")
            else:
                cell = f"{name}_cell"
                lines += [f"    if {cell} is not None and ({cell}.last > node.clock or {cell}.array is not None):",
                          f"        {name} = result_array(node, {name}, {cell})"]
        elif name in decl.lists:
            lines.append(f"    check_each(node, {name})")
        elif name in decl.tensor_names:
            indent = "    "
            if needed(decl, name) or name in decl.optional:
                lines.append(f"    if {name} is not None:")
                indent = "        "
            lines += [f"{indent}cell = {name}._cell", f"{indent}if cell is not None and cell.last > node.clock:",
                      f"{indent}    check(node, {name})"]
            if not recorded:
                lines.append(f"{indent}{name} = {name}._array")
    return lines


def backward(decl: Any, recorded: bool) -> list[str]:
    """Return the source of the node's backward, on arrays or (recorded) on tensors."""
    lines = [f"def {'backward_recorded' if recorded else 'backward'}(node, {decl.grad_name}):"]
    if decl.node_name == "NotImplemented":
        return [*lines, f"    return d_{decl.inputs[0]}({decl.grad_name})"]
    lines += read_saved(decl, recorded) if decl.saved or len(decl.inputs) > 1 else []
    parts = []
    for name in decl.inputs:
        arguments = [decl.grad_name, *decl.uses[name]]
        if "xp" in decl.takes_xp[name]:
            arguments.append("xp=tensors" if recorded else "xp=arrays")
        call = f"d_{name}({', '.join(arguments)})"
        parts.append(call if len(decl.inputs) == 1 else f"{call} if {name}_node is not None else None")
    return lines + [f"    return ({''.join(part + ', ' for part in parts)})"]


SOURCES = {
    "function": forward,
    "operator": lambda decl: forward(decl, operator=True),
    "backward": lambda decl: backward(decl, False),
    "backward_recorded": lambda decl: backward(decl, True),
}
