"""Pairs of step law fits per second of processor time in numpy, all replicates at once: usage: steplaw_numpy.py ROWS.

ROWS holds ln N, ln D, ln lr, ln B of the kept runs. A pair is one resample of the rows, least squares of ln lr on
(1, ln N, ln D) and of ln B on (1, ln D). Counts are drawn from the multinomial distribution, the normal equations of all
replicates are one product of matrices, and every replicate's coefficients are kept.
"""
import sys
import time

import numpy as np

REPLICATES = 20000


def pairs_per_second(rows):
    n, d, x, y = (rows - rows.mean(axis=0)).T
    one = np.ones_like(n)
    products = np.column_stack([one, n, d, n * n, n * d, d * d, x, n * x, d * x, y, d * y])
    count = len(rows)
    start = time.process_time()
    counts = np.random.default_rng(42).multinomial(count, np.full(count, 1.0 / count), size=REPLICATES)
    s = counts.astype(float) @ products
    a = np.stack([s[:, 0], s[:, 1], s[:, 2], s[:, 1], s[:, 3], s[:, 4], s[:, 2], s[:, 4], s[:, 5]], axis=1)
    lr = np.linalg.solve(a.reshape(-1, 3, 3), s[:, 6:9, None])[:, :, 0]
    b = np.stack([s[:, 0], s[:, 2], s[:, 2], s[:, 5]], axis=1)
    batch = np.linalg.solve(b.reshape(-1, 2, 2), s[:, 9:11, None])[:, :, 0]
    seconds = time.process_time() - start
    assert np.isfinite(lr).all() and np.isfinite(batch).all()
    return REPLICATES / seconds


if __name__ == "__main__":
    kept = np.loadtxt(sys.argv[1], delimiter=",")
    print(max(pairs_per_second(kept) for _ in range(3)))
