"""Types of the arguments of public functions."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence, Union

import pandas as pd

Path = Union[str, os.PathLike]
Names = Union[str, Sequence[str]]
Folders = Union[str, os.PathLike, Sequence[Path]]
Where = Union[str, Callable[[pd.DataFrame], Any]]  # an expression, or a function that gives booleans
Rows = Union[int, slice, range, Sequence[int], Any]  # any array of whole numbers or booleans
Values = Union[pd.DataFrame, Sequence[Mapping[str, Any]], Mapping[str, Any]]
Tables = Mapping[str, Any]
Chunks = Union[int, str, Mapping[Any, Any]]  # as those of xarray.open_dataset
