"""A forecast has the order of the run that follows, and touches nothing."""

from autograd_lab.introspect import forecast, record, snapshot
from autograd_lab.introspect.forecast import begin


def test_the_forecast_is_the_run_without_values(torch):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    loss = (y * y).mean()
    expected = forecast(snapshot(loss))
    assert x.grad is None
    trace = record(loss)
    events = [
        [(s.kind, s.node, s.edge) for s in t.steps if s.kind not in ("release", "accumulate")]
        for t in (expected, trace)
    ]
    assert events[0] == events[1]
    assert expected.mode == "forecast"


def test_it_ends_where_backward_would_raise(torch):
    a = torch.ones(3, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    c = a * b
    loss = c.sum()
    with torch.no_grad():
        a.mul_(2)
    graph = snapshot(loss)
    last = forecast(graph).steps[-1]
    assert (last.kind, graph.index[last.node].op) == ("error", "MulBackward0")


def test_a_used_graph_ends_at_the_freed_node(torch):
    x = torch.ones(3, requires_grad=True)
    loss = x.exp().sum()
    loss.backward()
    graph = snapshot(loss)
    last = forecast(graph).steps[-1]
    assert (last.kind, graph.index[last.node].op) == ("error", "ExpBackward0")


def test_a_very_large_graph_gets_none(torch):
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(700):
        y = y + 1
    assert forecast(snapshot(y)) is None


def test_the_beginning_tells_how_long_the_forecast_is(torch):
    x, w = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0], requires_grad=True)
    y = (x * w + x.sin()).unbind()
    for tensors in ([y[0]], list(y), [(x * w).sum()], [x]):
        graph = snapshot(*tensors)
        trace, steps = begin(graph)
        whole = forecast(graph)
        assert steps == len(whole.steps)
        assert trace.steps == whole.steps[:1]


def test_of_a_run_that_would_stop_there_is_no_beginning(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.mul_(2)
    assert begin(snapshot(y.sum())) is None
