"""The op table: declarations and nothing else, one room for each kind of operation."""

from autograd_lab.ops import blend as blend
from autograd_lab.ops import casts as casts
from autograd_lab.ops import choice as choice
from autograd_lab.ops import compare as compare
from autograd_lab.ops import create as create
from autograd_lab.ops import data as data
from autograd_lab.ops import everyday as everyday
from autograd_lab.ops import extreme_values as extreme_values
from autograd_lab.ops import extremes as extremes
from autograd_lab.ops import indexing as indexing
from autograd_lab.ops import joining as joining
from autograd_lab.ops import linear as linear
from autograd_lab.ops import pointwise as pointwise
from autograd_lab.ops import pointwise_float as pointwise_float
from autograd_lab.ops import power as power
from autograd_lab.ops import products as products
from autograd_lab.ops import random_inplace as random_inplace
from autograd_lab.ops import random_ops as random_ops
from autograd_lab.ops import ranges as ranges
from autograd_lab.ops import reduction as reduction
from autograd_lab.ops import rounding as rounding
from autograd_lab.ops import shape as shape
from autograd_lab.ops import strided_ops as strided_ops
from autograd_lab.ops import trigonometry as trigonometry
from autograd_lab.ops import view_ops as view_ops
from autograd_lab.ops import words as words
