"""Make `python -m autograd_lab` the command `autograd-lab`."""

import sys

from autograd_lab.cli import main

sys.exit(main())
