"""Measurements of the product on real and made-up data; each module is run with ``python -m benchmarks.<name>``.

Linear algebra runs on one thread, as the figures of the peers do: set before numpy is first imported. Embedding uses
all cores.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
