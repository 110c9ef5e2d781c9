"""Wrong calls without torch beside: the words of its parser, by function and by method, and what it lets in."""

import pytest

import autograd_lab as torch

X = torch.ones(2, 3)
SUM = " * (*, torch.dtype dtype = None)\n * (tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None)\n"
WRONG = [
    (lambda: torch.exp(), 'exp() missing 1 required positional arguments: "input"'),
    (lambda: torch.exp(X, 1), "exp() takes 1 positional argument but 2 were given"),
    (lambda: torch.exp(1), "exp(): argument 'input' (position 1) must be Tensor, not int"),
    (lambda: torch.exp(X, unknown=1), "exp() got an unexpected keyword argument 'unknown'"),
    (lambda: torch.add(X, "a"), "add(): argument 'other' (position 2) must be Tensor, not str"),
    (lambda: X.add("a"), "add(): argument 'other' (position 1) must be Tensor, not str"),
    (lambda: X.add_("a"), "add_(): argument 'other' (position 1) must be Tensor, not str"),
    (lambda: torch.add(X, X, alpha="a"), "add(): argument 'alpha' must be Number, not str"),
    (lambda: torch.maximum(X, 1), "maximum(): argument 'other' (position 2) must be Tensor, not int"),
    (lambda: torch.absolute(1), "absolute(): argument 'input' (position 1) must be Tensor, not int"),
    (lambda: X.sum("a"),
     f"sum() received an invalid combination of arguments - got (str), but expected one of:\n{SUM}"),
    (lambda: X.contiguous("a"), "contiguous() takes 0 positional arguments but 1 was given"),
    (lambda: X.item(1), "TensorBase.item() takes no arguments (1 given)"),
    (lambda: torch.Tensor.exp(), "unbound method TensorBase.exp() needs an argument"),
    (lambda: X.view(2, 1.5), "view(): argument 'size' failed to unpack the object at pos 2 with error "
                             '"type must be tuple of ints,but got float"'),
    (lambda: torch.cat([X, 1]), "expected Tensor as element 1 in argument 0, but got int"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), WRONG)
def test_a_wrong_call_has_the_parsers_words(call, text):
    for _ in range(2):      # also when the classes were seen before
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == text


def test_a_tensor_may_stand_for_a_number_if_it_is_one():
    assert torch.add(X, X, alpha=torch.tensor(2)).tolist() == [[3.0] * 3] * 2
    assert torch.allclose(X, X, torch.tensor(1))
    with pytest.raises(TypeError, match="argument 'alpha' must be Number, not Tensor"):
        torch.add(X, X, alpha=X)


def test_a_form_that_only_torch_has_says_so():
    with pytest.raises(NotImplementedError, match="autograd_lab has not this form"):
        torch.addmm(X, X, X, out_dtype=torch.float64)


def test_the_positional_forms_of_old_are_read():
    assert torch.subtract(X, 0.5, 2).tolist() == [[0.0] * 3] * 2
    with pytest.warns(UserWarning, match=r"This overload of add is deprecated:\n\tadd\(Tensor input, Number"):
        assert torch.add(X, 2, X).tolist() == [[3.0] * 3] * 2
    square = torch.ones(2, 2)
    assert square.addmm(3, 4, square, square).tolist() == [[11.0] * 2] * 2
    assert torch.rsub(square, 5, 2).tolist() == [[3.0] * 2] * 2
