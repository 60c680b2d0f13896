"""The tensors of a weights file, as PyTorch lays them out."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .. import _core
from .._core import ModelError

_NAMES = {"gamma": "weight", "beta": "bias"}


def _parts(name: str | os.PathLike[str]) -> tuple[dict[str, Any], bytes]:
    content = _core.weights_bytes(os.fspath(name))
    try:
        (length,) = struct.unpack_from("<Q", content)
        header: dict[str, Any] = json.loads(content[8 : 8 + length])
    except (struct.error, ValueError, UnicodeDecodeError) as error:
        raise ModelError(f"{name}: not a weights file: {error}") from None
    return header, content[8 + length :]


def load_config(name: str | os.PathLike[str] = "raven-cpu-64") -> dict[str, Any]:
    """What a model is made of, as its weights file says.

    >>> load_config()["image"]["size"]
    64
    """
    header, _ = _parts(name)
    try:
        config: dict[str, Any] = json.loads(header["__metadata__"]["genvp"])["config"]
    except (KeyError, TypeError, ValueError):
        raise ModelError(f"{name}: safetensors of another program") from None
    return config


def load_state_dict(name: str | os.PathLike[str] = "raven-cpu-64") -> dict[str, Tensor]:
    """The tensors of a weights file, or of the model in the box of that name.

    They are named as in the file, and laid out as PyTorch wants them: linear layers `[out, in]`,
    convolutions `[out, in, height, width]`, norms with `weight` and `bias`.

    >>> load_state_dict()["encoder.stem.weight"].shape
    torch.Size([56, 1, 4, 4])
    """
    header, content = _parts(name)
    found: dict[str, Tensor] = {}
    for key, entry in header.items():
        if key == "__metadata__":
            continue
        try:
            begin, end = entry["data_offsets"]
            if entry["dtype"] != "F32":
                raise ModelError(f"{name}: {key} is of type {entry['dtype']}, wanted F32")
            values = np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{name}: {key}: {error}") from None
        stem, _, last = key.rpartition(".")
        tensor = torch.from_numpy(values.copy())
        if last == "weight" and tensor.ndim == 2:
            tensor = tensor.T.contiguous()
        elif last == "weight" and tensor.ndim == 4:
            tensor = tensor.permute(3, 2, 0, 1).contiguous()
        found[f"{stem}.{_NAMES.get(last, last)}" if stem else last] = tensor
    return found
