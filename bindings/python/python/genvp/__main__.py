"""`python -m genvp` is the `genvp` command."""

import sys

from ._command import main

sys.exit(main())
