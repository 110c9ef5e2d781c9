"""The course: predict what a program prints, check what you wrote, reveal the answer, and see your progress.

from autograd_lab.course import predict, check, reveal, progress
"""

from autograd_lab.course import mutants
from autograd_lab.course.asking import predict
from autograd_lab.course.checking import check
from autograd_lab.course.page import progress
from autograd_lab.course.recalling import recall
from autograd_lab.course.revealing import reveal

__all__ = ["check", "mutants", "predict", "progress", "recall", "reveal"]
