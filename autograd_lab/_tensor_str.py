"""torch._tensor_str: the printing options under the name that torch keeps them."""

from autograd_lab.core.printing import PRINT_OPTS, get_printoptions, printoptions, set_printoptions

__all__ = ["PRINT_OPTS", "get_printoptions", "printoptions", "set_printoptions"]
