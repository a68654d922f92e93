"""Types of arguments."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]
    Path = Union[str, os.PathLike[str]]
else:  # in Python 3.8 they take no parameters
    Array, Path = np.ndarray, Union[str, os.PathLike]
Names = Union[str, Sequence[str]]
Folders = Union[Path, Sequence[Path]]
Where = Union[str, Callable[[pd.DataFrame], Any]]  # an expression, or a function that gives booleans
Rows = Union[int, slice, range, Sequence[int], Any]  # any array of whole numbers or booleans
Values = Union[pd.DataFrame, Sequence[Mapping[str, Any]], Mapping[str, Any]]
Tables = Mapping[str, Any]
Chunks = Union[int, str, Mapping[Any, Any]]  # as those of xarray.open_dataset
