"""Puts the library of compiled code into a wheel, if its folder is named; without it the wheel is for all platforms."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "SUBWORD_LAB_LIBRARY"  # an environment variable: where `python -m subword_lab_fast FOLDER` wrote it


class CompiledWheel(BuildHookInterface):
    """A wheel with the library is for one Python and one platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library to the wheel. Raises ValueError if the folder holds none, or several."""
        folder = os.environ.get(FOLDER)
        if not folder or version == "editable":
            return
        files = [*Path(folder).resolve().glob("compiled_*")]
        if len(files) != 1:
            raise ValueError(
                f"{FOLDER} is {folder!r}, which holds {len(files)} libraries; expected one"
            )
        build_data["force_include"][str(files[0])] = f"subword_lab_fast/{files[0].name}"
        build_data.update(pure_python=False, infer_tag=True)
