"""The shipped solver as a plain module of PyTorch.

It is the part of the model that answers: the encoder, q(Z_r|Z_o), the experts q(R|.) and their
mixture. What draws (decoder and priors) is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from .._core import ModelError
from ._weights import load_config, load_state_dict


def to_ink(panels: Tensor, side: int = 64) -> Tensor:
    """Grey panels `[..., s, s]` (uint8, 255 = paper) as the solver sees them: `[..., side, side]`,
    ink = 1, each pixel the mean of what it covers.

    >>> to_ink(torch.zeros(16, 160, 160, dtype=torch.uint8)).shape
    torch.Size([16, 64, 64])
    """
    ink = 1 - panels.float() / 255
    size = panels.shape[-1]
    if size == side:
        return ink
    shares = _shares(size, side).to(ink.device)
    return shares @ ink @ shares.T


def _shares(old: int, new: int) -> Tensor:
    """The share of each old pixel in each new one `[new, old]`."""
    at, begin = torch.arange(old, dtype=torch.float64), torch.arange(new, dtype=torch.float64)
    step = old / new
    begin = begin[:, None] * step
    overlap = torch.minimum(at + 1, begin + step) - torch.maximum(at, begin)
    return (overlap.clamp(min=0) / step).float()


class _Conv(nn.Conv2d):
    """Convolution, norm, relu."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, padding: int) -> None:
        super().__init__(inputs, outputs, kernel, stride, padding)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.norm(super().forward(x)))


class _Linear(nn.Linear):
    """A linear layer on the last dimension, then norm and relu."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs)
        self.norm = nn.BatchNorm1d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        y = super().forward(x)
        return functional.relu(self.norm(y.reshape(-1, y.shape[-1])).reshape(y.shape))


class _Encoder(nn.Module):
    """A panel `[n, 1, side, side]` to the mean of its Z `[n, K]`."""

    def __init__(self, size: int, channels: Sequence[int], hidden: int, k: int) -> None:
        super().__init__()
        pairs = pairwise(channels)
        self.stem = _Conv(1, channels[0], 4, 4, 0)
        self.halve = nn.ModuleList(_Conv(a, b, 3, 2, 1) for a, b in pairs)
        last = size // 4 // 2 ** (len(channels) - 1)
        self.hidden = _Linear(last * last * channels[-1], hidden)
        self.head = nn.Linear(hidden, 2 * k)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for layer in self.halve:
            x = layer(x)
        # Pixels first, then channels, as the weights know them.
        both: Tensor = self.head(self.hidden(x.permute(0, 2, 3, 1).flatten(1)))
        return both.chunk(2, 1)[0]


class _Join(nn.Module):
    """relu(norm(sum over places of W x, plus g)): a layer over several parts that many outputs share.

    Every part is multiplied once for each place; `pick` says which products make up each output.
    """

    def __init__(self, places: int, inputs: int, outputs: int, groups: int) -> None:
        super().__init__()
        self.places = nn.ModuleList(nn.Linear(inputs, outputs, bias=False) for _ in range(places))
        self.group = nn.Parameter(torch.zeros(groups, outputs))
        self.norm = nn.BatchNorm1d(outputs)

    def forward(self, parts: Tensor, pick: Tensor, extra: Tensor | None = None) -> Tensor:
        """`parts` [b, slots, n, i], `pick` [outputs, places * n] -> [b, slots, outputs, o]."""
        products = torch.cat([place(parts) for place in self.places], 2)
        repeats = parts.shape[1] // self.group.shape[0]
        x = pick @ products + self.group.repeat(repeats, 1)[None, :, None]
        if extra is not None:
            x = x + extra
        return functional.relu(self.norm(x.reshape(-1, x.shape[-1])).reshape(x.shape))


class _Mlp(nn.Module):
    def __init__(self, hidden: Sequence[int], outputs: int) -> None:
        super().__init__()
        self.hidden = nn.ModuleList(_Linear(a, b) for a, b in pairwise(hidden))
        self.out = nn.Linear(hidden[-1], outputs)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.hidden:
            x = layer(x)
        out: Tensor = self.out(x)
        return out


class _Head(nn.Module):
    """Joins rows and predicts the rules of a block's attributes."""

    def __init__(self, rows: _Join, rest: _Mlp) -> None:
        super().__init__()
        self.rows = rows
        self.rest = rest

    def forward(self, parts: Tensor, pick: Tensor) -> Tensor:
        out: Tensor = self.rest(self.rows(parts, pick))
        return out


class _Grouped(nn.Module):
    """Hidden layers shared by all groups, then a last layer for each group."""

    def __init__(self, widths: Sequence[int], inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = nn.ModuleList([_Linear(inputs, hidden)])
        self.out = nn.ModuleList(nn.Linear(hidden, 2 * width) for width in widths)

    def forward(self, x: Tensor, components: int) -> Tensor:
        """The means `[b, n, K_Zo]` from `[b, slots, n, i]`."""
        for layer in self.hidden:
            x = layer(x)
        b, slots, n, width = x.shape
        x = x.reshape(b, components, slots // components, n, width)
        means = [out(x[:, :, g]).chunk(2, -1)[0] for g, out in enumerate(self.out)]
        return torch.cat(means, 3).transpose(1, 2).reshape(b, n, -1)


class _Experts(nn.Module):
    """Every expert's rule matrix of a puzzle as completed by each of its candidates."""

    pick_columns: Tensor
    pick_full: Tensor
    pick_context: Tensor
    pick_partial: Tensor
    pick_latents: Tensor

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        own, puzzle = config["experts"], config["puzzle"]
        widths, code, hidden = own["widths"], own["code"], own["hidden"]
        relation, groups = own["relation"], len(own["widths"])
        rows, columns = puzzle["rows"], puzzle["columns"]
        self.widths: list[int] = widths
        self.components: int = own["components"]
        self.rule_rows: list[int] = own["rule_rows"]
        self.rules: int = puzzle["rules"]
        self.candidates: int = puzzle["candidates"]
        said = max(self.rule_rows) * self.rules

        def head(inputs: int, layers: Sequence[int]) -> _Head:
            return _Head(_Join(rows, inputs, hidden, groups), _Mlp(layers, said))

        self.read = nn.ModuleList(nn.Linear(width, code) for width in widths)
        self.columns = _Join(columns, code, hidden, groups)
        self.missing = nn.Parameter(torch.zeros(1 + columns, hidden))
        self.relation = nn.ModuleList([_Linear(hidden, hidden), nn.Linear(hidden, relation)])
        self.full = head(relation, [hidden])
        self.context = head(relation, [hidden])
        self.partial_rows = head(relation, [hidden])
        self.row_read = nn.ModuleList(nn.Linear(width, code) for width in widths)
        self.row_latents = head(code, [hidden, hidden])
        self.z_r_posterior = _Grouped(widths, relation + groups, hidden)
        plans = _Plans(rows, columns, self.candidates)
        for name, matrix in plans.matrices().items():
            self.register_buffer(name, matrix, persistent=False)
        self.masks = 1 + columns

    def _blocks(self, layers: nn.ModuleList, z: Tensor) -> Tensor:
        """Every block of Z at the common width: `[b, n, K_Zo] -> [b, slots, n, code]`."""
        b, n, _ = z.shape
        z = z.reshape(b, n, self.components, sum(self.widths)).transpose(1, 2)
        parts = [layer(own) for layer, own in zip(layers, torch.split(z, self.widths, 3))]
        return torch.stack(parts, 2).reshape(b, self.components * len(self.widths), n, -1)

    def forward(self, z_o: Tensor) -> Tensor:
        """The logits `[experts, b, candidates, attributes, rules]` from Z_o `[b, panels, K_Zo]`."""
        missing = self.missing.repeat(self.pick_columns.shape[0] // self.masks, 1)
        rows = self.columns(self._blocks(self.read, z_o), self.pick_columns, missing)
        rows = functional.relu(self.relation[1](self.relation[0](rows)))
        b, slots, outputs, width = rows.shape
        whole = rows.reshape(b, slots, outputs // self.masks, self.masks, width)[:, :, :, 0]
        groups = len(self.widths)
        told = torch.eye(groups, device=rows.device, dtype=rows.dtype).repeat(self.components, 1)
        told = told[None, :, None].expand(b, slots, whole.shape[2], groups)
        z_r = self.z_r_posterior(torch.cat([whole, told], 3), self.components)
        codes = self._blocks(self.row_read, z_r)
        said = [
            self.full(rows, self.pick_full),
            self.context(rows, self.pick_context),
            self.partial_rows(rows, self.pick_partial),
            self.row_latents(codes, self.pick_latents),
        ]
        return self._to_rules(torch.cat(said, 2))

    def _to_rules(self, said: Tensor) -> Tensor:
        """Cuts the rows of R out of what the heads say of each block."""
        b, c, groups = said.shape[0], self.candidates, len(self.widths)
        experts = said.shape[2] // c
        said = said.reshape(b, self.components, groups, experts, c, -1).permute(3, 0, 4, 1, 2, 5)
        rows = [said[..., g, : count * self.rules] for g, count in enumerate(self.rule_rows)]
        return torch.cat(rows, -1).reshape(experts, b, c, -1, self.rules)


class _Plans:
    """Which products of a joined layer make up each of its outputs.

    Context rows come first, then the last row with each candidate; of every row there are the
    versions with nothing missing, panel 1 missing, and so on.
    """

    def __init__(self, rows: int, columns: int, candidates: int) -> None:
        self.rows, self.columns, self.candidates = rows, columns, candidates
        self.context = rows * columns - 1
        self.all_rows = rows - 1 + candidates
        self.masks = 1 + columns

    def matrices(self) -> dict[str, Tensor]:
        versions = self.all_rows * self.masks
        panels = self.context + self.candidates
        return {
            "pick_columns": self._matrix(versions, self.columns, panels, self._in_row),
            "pick_full": self._heads(1, lambda version, row: 0),
            "pick_context": self._heads(self.rows * self.columns, self._without_panel),
            "pick_partial": self._heads(self.rows, lambda version, row: None if version == row else 0),
            "pick_latents": self._matrix(self.candidates, self.rows, self.all_rows, self._in_grid),
        }

    @staticmethod
    def _matrix(outputs: int, places: int, parts: int, wanted: Callable[[int, int, int], bool]) -> Tensor:
        rows = [
            [float(wanted(output, place, part)) for place in range(places) for part in range(parts)]
            for output in range(outputs)
        ]
        return torch.tensor(rows)

    def _in_row(self, output: int, column: int, panel: int) -> bool:
        row, missing = divmod(output, self.masks)
        if missing == column + 1:
            return False
        if row < self.rows - 1:
            return panel == row * self.columns + column
        if column < self.columns - 1:
            return panel == (self.rows - 1) * self.columns + column
        return panel == self.context + row - (self.rows - 1)

    def _in_grid(self, candidate: int, place: int, row: int) -> bool:
        return row == (place if place < self.rows - 1 else place + candidate)

    def _without_panel(self, panel: int, row: int) -> int | None:
        return 1 + panel % self.columns if panel // self.columns == row else 0

    def _heads(self, versions: int, mask: Callable[[int, int], int | None]) -> Tensor:
        """`mask` says which version of a row is read; `None` leaves the row out."""

        def wanted(output: int, place: int, part: int) -> bool:
            version, candidate = divmod(output, self.candidates)
            row, missing = divmod(part, self.masks)
            return self._in_grid(candidate, place, row) and mask(version, place) == missing

        return self._matrix(versions * self.candidates, self.rows, self.all_rows * self.masks, wanted)


# The tensors of a weights file that answers rest on, and those among them that only drawing needs.
_ANSWERS = ("encoder.", "experts.")
_DRAWS = ("experts.z_r_prior.", "experts.z_o_prior.", "experts.z_o_read.")


class Solver(nn.Module):
    """Answers puzzles: ink `[b, 16, 64, 64]` to the score of every choice `[b, 8]`.

    >>> import genvp, torch
    >>> solver = Solver.from_pretrained()
    >>> batch = genvp.make("iraven", "c-s", n=2, seed=7)
    >>> with torch.inference_mode():
    ...     answers = solver(to_ink(torch.from_numpy(batch.panels))).argmax(1)
    >>> answers.tolist() == batch.target.tolist()
    True
    """

    weights: Tensor

    def __init__(self, config: dict[str, Any]) -> None:
        """A solver with the widths of a model's configuration (see `load_config`), untrained."""
        super().__init__()
        try:
            encoder, puzzle, latent = config["image"]["encoder"], config["puzzle"], config["latent"]
            kinds = (encoder["kind"], config["experts"]["family"], config["mixture"])
            if kinds != ("small", "slots", "weighted-avg"):
                raise ModelError(
                    f"a model with encoder {kinds[0]}, experts {kinds[1]} and mixture {kinds[2]} has "
                    "no twin in PyTorch: small, slots and weighted-avg have one"
                )
            self.side: int = config["image"]["size"]
            self.relevant: int = latent["relevant"]
            # Codes of scene values are soft signs; the paper's Z_o is as the encoder gives it.
            self.signs: bool = config.get("architecture") == "scene-genvp"
            k = self.relevant + latent["irrelevant"]
            self.encoder = _Encoder(self.side, encoder["channels"], encoder["hidden"], k)
            self.experts = _Experts(config)
            # Every kind of expert weighs the same: full, context, rows, row latents.
            counts = [1, puzzle["rows"] * puzzle["columns"], puzzle["rows"], 1]
        except KeyError as error:
            raise ModelError(f"the configuration has no {error}: not one of a model of ours") from None
        weights = torch.cat([torch.full((count,), 1 / (4 * count)) for count in counts])
        self.register_buffer("weights", weights, persistent=False)

    @classmethod
    def from_pretrained(cls, name: str | os.PathLike[str] = "raven-cpu-64") -> Solver:
        """The solver of the model in the box of that name, or in a weights file, for evaluation."""
        solver = cls(load_config(name))
        wanted, found = solver.state_dict(), load_state_dict(name)
        unknown = [key for key in found if key.startswith(_ANSWERS) and not key.startswith(_DRAWS)]
        unknown = [key for key in unknown if key not in wanted]
        if unknown:
            raise ModelError(f"{name}: {unknown[0]} has no twin in PyTorch: the scores would be others")
        try:
            solver.load_state_dict({key: value for key, value in found.items() if key in wanted})
        except RuntimeError as error:
            raise ModelError(f"{name}: {error}") from None
        return solver.eval()

    def rules(self, ink: Tensor) -> Tensor:
        """The mixed rule probabilities `[b, choices, attributes, rules]`."""
        b, panels = ink.shape[:2]
        mean = self.encoder(ink.reshape(b * panels, 1, self.side, self.side))
        z_o = mean[:, : self.relevant]
        z_o = (z_o.tanh() if self.signs else z_o).reshape(b, panels, self.relevant)
        each: Tensor = self.experts(z_o).softmax(-1)
        return (each * self.weights[:, None, None, None, None]).sum(0)

    def forward(self, ink: Tensor) -> Tensor:
        """The mass of active rules, `sum(1 - p_none)`, with every choice."""
        return (1 - self.rules(ink)[..., 0]).sum(-1)
