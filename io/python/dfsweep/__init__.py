"""Reads results of dfsweep into pandas and xarray, and asks the program for more.

    import dfsweep
    frame = dfsweep.load("runs/first/result.h5")
    cube = dfsweep.cube("runs/first/result.h5", "step_time")

A path is a result file or a run directory. Bytes are compared with their checksums before they are used. Columns of
names (status, device) become categories; quantities are in base SI units.
"""
from .arrow_stream import arrow
from .cubes import cube
from .errors import CannotVerify, DamagedFile, InvalidSweep, PartialWarning, SweepError, UnfinishedRun, UnverifiedWarning
from .evaluation import Estimate, evaluate
from .fronts import Front, front
from .program import Plan, Sweep
from .rows import load

__all__ = ["CannotVerify", "DamagedFile", "Estimate", "Front", "InvalidSweep", "PartialWarning", "Plan", "Sweep", "SweepError",
           "UnfinishedRun", "UnverifiedWarning", "arrow", "cube", "evaluate", "front", "load"]
