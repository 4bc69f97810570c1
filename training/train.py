"""Trains the judge for a given time. Stop it at any moment; ``--resume`` goes on from the last checkpoint.

python -m training.train --data DATA --train TRAIN --base BASE --work WORK --minutes 80
"""

import argparse
import json
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ringtrue.models.local.inputs import Inputs, padded
from training.data import NOT_SUPPORTED, Row, read_rows
from training.mix import Item, batches, gather
from training.model import Judge, load_base
from training.scoring import area, row_probabilities

SEED = 20261130
BODY_RATE, HEAD_RATE = 1.2e-4, 6e-4
WARM_UP = 0.03  # share of the time
MOST_NORM = 1.0
AVERAGED = 0.998  # the weights that are measured and exported are a running mean
DEV_ROWS = 60  # of each set, at the looks on the way


class Trainer:
    """The network, its running mean and its optimiser, and how far they have come."""

    def __init__(self, base: Path, minutes: float) -> None:
        torch.manual_seed(SEED)
        self.judge = load_base(base / "model.safetensors")
        self.judge.words.weight.requires_grad_(False)
        self.average = {name: value.clone() for name, value in self._learnt()}
        head = [value for name, value in self._learnt() if name.startswith(("support", "correct", "shared", "parts"))]
        body = [value for name, value in self._learnt() if all(value is not one for one in head)]
        groups = [{"params": body, "rate": BODY_RATE}, {"params": head, "rate": HEAD_RATE}]
        self.optimiser = torch.optim.AdamW(groups, lr=BODY_RATE, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
        self.minutes = minutes
        self.seconds = 0.0
        self.step = 0

    def _learnt(self) -> list[tuple[str, Tensor]]:
        return [(name, value) for name, value in self.judge.named_parameters() if value.requires_grad]

    @property
    def done(self) -> float:
        return self.seconds / 60 / self.minutes

    def learn(self, batch: list[Item]) -> float:
        """One step; the loss."""
        start = time.monotonic()
        rate = max(min(self.done / WARM_UP, (1 - self.done) / (1 - WARM_UP)), 0.002)
        for group in self.optimiser.param_groups:
            group["lr"] = group["rate"] * rate
        ids, parts = (torch.from_numpy(one) for one in padded([item.pair for item in batch]))
        loss = _loss(*self.judge(ids, parts), batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.judge.parameters(), MOST_NORM)
        self.optimiser.step()
        self.optimiser.zero_grad()
        self.step += 1
        keep = min(AVERAGED, 1 - 1 / (1 + self.step / 10))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.values()), [value for _, value in self._learnt()], 1 - keep)
        self.seconds += time.monotonic() - start
        return loss.item()

    def averaged(self) -> Judge:
        judge = Judge()
        judge.load_state_dict(self.judge.state_dict() | self.average)
        return judge.eval()

    def save(self, path: Path) -> None:
        """Everything that is needed to go on, written whole or not at all."""
        state = {
            "judge": self.judge.state_dict(),
            "average": self.average,
            "optimiser": self.optimiser.state_dict(),
            "seconds": self.seconds,
            "step": self.step,
        }
        torch.save(state, path.with_suffix(".part"))
        path.with_suffix(".part").replace(path)

    def start_from(self, path: Path) -> None:
        """Begin a new training with the weights that an earlier one ended with."""
        weights = torch.load(path, weights_only=True)["average"]
        self.judge.load_state_dict(self.judge.state_dict() | weights)
        self.average = {name: value.clone() for name, value in self._learnt()}

    def load(self, path: Path) -> None:
        state = torch.load(path, weights_only=True)
        self.judge.load_state_dict(state["judge"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average = state["average"]
        self.seconds, self.step = state["seconds"], state["step"]


def _loss(support: Tensor, correct: Tensor, batch: list[Item]) -> Tensor:
    """Mean over the rows of cross entropy; a claim known only as "not supported" may be either of the other two."""
    labels = torch.tensor([item.label for item in batch])
    asked = torch.tensor([item.task == "correct" for item in batch])
    right = torch.nn.functional.binary_cross_entropy_with_logits(
        correct[:, 0], labels.clamp(max=1).float(), reduction="none"
    )
    logs = support.log_softmax(-1)
    known = -logs.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    other = -torch.logaddexp(logs[:, 1], logs[:, 2])
    return torch.where(asked, right, torch.where(labels == NOT_SUPPORTED, other, known)).mean()


def as_network(judge: Judge) -> Any:
    """The judge as a function of arrays, for `training.scoring`."""

    def run(ids: NDArray[np.int64], parts: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            support, correct = judge(torch.from_numpy(ids), torch.from_numpy(parts))
        return support.numpy(), correct.numpy()

    return run


def look(judge: Judge, rows: list[Row], inputs: Inputs) -> dict[str, dict[str, float | None]]:
    """Area under the curve and accuracy at .5 of each set."""
    found = row_probabilities(rows, inputs, as_network(judge))
    figures = {}
    for name in sorted({row.file for row in rows}):
        places = [place for place, row in enumerate(rows) if row.file == name]
        truth, scores = [rows[place].label for place in places], found[places]
        right = float(np.mean((scores >= 0.5) == np.array(truth, dtype=bool)))
        figures[name] = {"auc": area(truth, scores), "accuracy": right}
    return figures


def main() -> None:
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    inputs = Inputs(options.base)
    kept = options.work / "items.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps(gather(options.data, options.train, inputs, SEED)))
    items = pickle.loads(kept.read_bytes())  # our own file of a moment ago
    dev = [row for row in read_rows(options.data) if row.side == "dev"]
    dev = [
        row for name in sorted({row.file for row in dev}) for row in [one for one in dev if one.file == name][:DEV_ROWS]
    ]
    trainer = Trainer(options.base, options.minutes)
    if options.start:
        trainer.start_from(options.start)
    if options.resume:
        trainer.load(options.work / "checkpoint.pt")
    source = batches(items, SEED + trainer.step + (1_000_000 if options.start else 0), warm=options.start is not None)
    batch, saved, looked = next(source), trainer.seconds, trainer.seconds
    losses: list[float] = []
    tokens = 0
    with (options.work / "log.jsonl").open("a", encoding="utf-8") as log:

        def note(**found: Any) -> None:
            log.write(json.dumps({"step": trainer.step, "minutes": round(trainer.seconds / 60, 2)} | found) + "\n")
            log.flush()

        while trainer.done < 1:
            losses.append(trainer.learn(batch))
            tokens += sum(len(item.pair[0]) for item in batch)
            if trainer.step % 100 == 0:
                note(loss=round(float(np.mean(losses[-100:])), 4), tokens=tokens)
            if trainer.seconds - saved > 60 * options.save_every:
                trainer.save(options.work / "checkpoint.pt")
                saved = trainer.seconds
            if trainer.seconds - looked > 60 * options.look_every:
                note(dev=look(trainer.averaged(), dev, inputs))
                looked = trainer.seconds
            batch = source.send(trainer.done)
        trainer.save(options.work / "checkpoint.pt")
        note(dev=look(trainer.averaged(), dev, inputs))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, meaning in (
        ("data", "folder of the rows that people labelled"),
        ("train", "folder of the public training sets"),
        ("base", "folder with model.safetensors and tokenizer.json of MiniLM-L6"),
        ("work", "folder for checkpoints and the log"),
    ):
        parser.add_argument(f"--{name}", type=Path, required=True, help=meaning)
    parser.add_argument("--minutes", type=float, required=True, help="time to learn, looks not counted")
    parser.add_argument("--save-every", type=float, default=5, metavar="MINUTES")
    parser.add_argument("--look-every", type=float, default=12, metavar="MINUTES")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, metavar="CHECKPOINT", help="weights of an earlier training to begin with")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the work folder")
    return parser.parse_args()


if __name__ == "__main__":
    main()
