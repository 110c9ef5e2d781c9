"""The networkx graph has everything that the snapshot has."""

from dataclasses import fields

from autograd_lab.introspect import NodeInfo, snapshot, to_networkx


def test_nodes_edges_and_attributes(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    found = snapshot(loss)
    graph = to_networkx(found)
    assert graph.is_multigraph()
    assert graph.is_directed()
    assert list(graph.nodes) == [node.id for node in found.nodes]
    assert graph.number_of_edges("n1", "n2") == 2
    assert set(graph.nodes["n1"]) == {field.name for field in fields(NodeInfo)} - {"id"}
    assert graph.nodes["n0"]["names"] == ("loss",)
    assert graph.edges["n1", "n2", "e1"]["name"] == "self"
    assert graph.graph["title"] == "loss"


def test_networkx_is_a_dag_in_the_way_of_the_gradient(torch):
    import networkx

    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    graph = to_networkx(snapshot((y * y + y).sum()))
    assert networkx.is_directed_acyclic_graph(graph)
    assert next(iter(networkx.topological_sort(graph))) == "n0"
