"""The network: MiniLM-L6 over three parts, marks on tokens that two parts share, and a head for each question."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import gelu, scaled_dot_product_attention

__all__ = ["Judge", "load_base"]

WIDTH, LAYERS, HEADS, INNER, POSITIONS, WORDS = 384, 6, 12, 1536, 512, 30522
FIRST_WORD = 999  # ids below are special tokens and unused places
HEAD_WIDTH = 256


class Layer(nn.Module):
    """One transformer layer of BERT, normalised after each sum."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        seen = scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.out(seen.transpose(1, 2).reshape(rows, length, WIDTH)))
        return self.norm2(x + self.down(gelu(self.up(x))))


class Judge(nn.Module):
    """Ids and parts (rows, length) to the logits of support (rows, 3) and of correctness (rows, 1)."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.parts = nn.Embedding(4, WIDTH)
        self.shared = nn.Linear(4, WIDTH, bias=False)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        pooled = 6 * WIDTH + 3
        self.support = nn.Sequential(nn.Linear(pooled, HEAD_WIDTH), nn.GELU(), nn.Linear(HEAD_WIDTH, 3))
        self.correct = nn.Sequential(nn.Linear(pooled, HEAD_WIDTH), nn.GELU(), nn.Linear(HEAD_WIDTH, 1))

    def forward(self, ids: Tensor, parts: Tensor) -> tuple[Tensor, Tensor]:
        shared = _shared_tokens(ids, parts)
        place = torch.arange(ids.shape[1], device=ids.device)
        x = self.words(ids) + self.positions(place)[None] + self.parts(parts) + self.shared(shared)
        x = self.norm(x)
        mask = (parts > 0)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        pooled = _pooled(x, parts, shared)
        return self.support(pooled), self.correct(pooled)


def _shared_tokens(ids: Tensor, parts: Tensor) -> Tensor:
    """Marks (rows, length, 4): a claim's token stands in the source, in the question; one of these in the claim."""
    same = (ids[:, :, None] == ids[:, None, :]) & (ids >= FIRST_WORD)[:, :, None]
    question, source, claim = (parts == 1), (parts == 2), (parts == 3)

    def found(own: Tensor, other: Tensor) -> Tensor:
        return own & (same & other[:, None, :]).any(-1)

    marks = (found(claim, source), found(claim, question), found(source, claim), found(question, claim))
    return torch.stack(marks, -1).to(torch.float32)


def _pooled(x: Tensor, parts: Tensor, shared: Tensor) -> Tensor:
    """First token; means of source and claim, their distance and product; mean of what is new in the claim; how well
    each token of the one is matched in the other (mean and least over the claim, mean over the source)."""
    source, claim = (parts == 2).to(x.dtype), (parts == 3).to(x.dtype)
    new = claim * (1 - shared[..., 0]) * (1 - shared[..., 1])
    a, b, c = _mean(x, source), _mean(x, claim), _mean(x, new)
    unit = x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)
    alike = unit @ unit.transpose(1, 2)
    of_claim = (alike - 2 * (1 - source)[:, None, :]).amax(-1)
    of_source = (alike - 2 * (1 - claim)[:, None, :]).amax(-1)
    scalars = torch.stack(
        (
            (of_claim * claim).sum(1) / claim.sum(1).clamp(min=1),
            (of_claim + 2 * (1 - claim)).amin(1),
            (of_source * source).sum(1) / source.sum(1).clamp(min=1),
        ),
        -1,
    )
    return torch.cat((x[:, 0], a, b, (a - b).abs(), a * b, c, scalars), -1)


def _mean(x: Tensor, where: Tensor) -> Tensor:
    return (x * where[..., None]).sum(1) / where.sum(1, keepdim=True).clamp(min=1)


def load_base(path: Path) -> Judge:
    """A Judge with the weights of MiniLM-L6 (safetensors); marks start at nothing, heads at random."""
    found = load_file(path)
    judge = Judge()
    state = judge.state_dict()
    types = found["embeddings.token_type_embeddings.weight"]
    state["words.weight"] = found["embeddings.word_embeddings.weight"]
    state["positions.weight"] = found["embeddings.position_embeddings.weight"]
    state["parts.weight"] = torch.stack((types[0], types[0], types[0], types[1]))
    state["shared.weight"] = torch.zeros_like(state["shared.weight"])
    _copy(state, "norm", found, "embeddings.LayerNorm")
    for place in range(LAYERS):
        theirs, ours = f"encoder.layer.{place}", f"layers.{place}"
        for kind in ("weight", "bias"):
            parts = [found[f"{theirs}.attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
            state[f"{ours}.qkv.{kind}"] = torch.cat(parts)
        _copy(state, f"{ours}.out", found, f"{theirs}.attention.output.dense")
        _copy(state, f"{ours}.norm1", found, f"{theirs}.attention.output.LayerNorm")
        _copy(state, f"{ours}.up", found, f"{theirs}.intermediate.dense")
        _copy(state, f"{ours}.down", found, f"{theirs}.output.dense")
        _copy(state, f"{ours}.norm2", found, f"{theirs}.output.LayerNorm")
    judge.load_state_dict(state)
    return judge


def _copy(state: dict[str, Tensor], ours: str, found: dict[str, Tensor], theirs: str) -> None:
    for kind in ("weight", "bias"):
        state[f"{ours}.{kind}"] = found[f"{theirs}.{kind}"]
