"""Chapter 00, start here: three lines, one graph."""

from autograd_lab.course.exercises.inputs import named, number, numbers
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("00.1", 4, "b", "z grows by 2x = 2 for each unit of x, and by 1 for each unit of y."),
    Prediction("00.2", 4, "c", "backward() adds to what is there: 2 + 2 and 1 + 1. Chapter 04 is about this."),
    Prediction(
        "00.3",
        3,
        "b",
        "z is a result. PyTorch keeps gradients only for leaves, and it warns you when you read another one.",
    ),
)

SQUARE = named("x * x", lambda x: x * x)
CUBE = named("x * x * x", lambda x: x * x * x)
MIXED = named("x * x.exp()", lambda x: x * x.exp())

EXERCISES = (
    Exercise(
        "00.4",
        "how an area grows",
        "order",
        header="def area_gradients(width, height):",
        lines={
            "A": "return w.grad, h.grad",
            "B": "area.backward()",
            "C": "w = torch.tensor(width, requires_grad=True)",
            "D": "area = w * h",
            "E": "h = torch.tensor(height, requires_grad=True)",
            "F": "w.backward()",
        },
        function="area_gradients",
        solution="C E D B A",
        families={
            "positive sides": lambda rng, size: (number(rng, 1, 9), number(rng, 1, 9)),
            "any numbers": lambda rng, size: (number(rng), number(rng)),
            "one side is zero": lambda rng, size: (0.0, number(rng, 1, 9)),
        },
        show=("width", "height"),
        hint="First the leaves, then the result, then backward, then read .grad. One line is not needed.",
    ),
    Exercise(
        "00.5",
        "the slope of a function",
        "fill",
        function="slope",
        solution="""
def slope(f, number):
    x = torch.tensor(number, requires_grad=True)
    y = f(x)
    y.backward()
    return x.grad.item()
""",
        families={
            "a square": lambda rng, size: (SQUARE, number(rng)),
            "a cube": lambda rng, size: (CUBE, number(rng)),
            "a product with exp": lambda rng, size: (MIXED, number(rng, -1, 1)),
        },
        show=("f", "number"),
        hint="The leaf must ask for a gradient. The result sends it back. The leaf then holds it in .grad.",
    ),
    Exercise(
        "00.6",
        "a gradient from a plain list",
        "blank",
        function="gradient",
        solution="""
def gradient(numbers):
    x = torch.tensor(numbers, requires_grad=True)
    (x * x).sum().backward()
    return x.grad
""",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "with a zero": lambda rng, size: ([*numbers(rng, size), 0.0],),
        },
        show=("numbers",),
        hint="Make a tensor that requires grad, compute (x * x).sum(), call backward, return x.grad.",
    ),
)
