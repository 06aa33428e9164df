"""AlphaZero: a network learns a game of two sides from its rules, by play against itself.

    pip install "aspgames[onnx]" torch onnxscript
    python examples/alphazero.py breakthrough -c width=6 -c height=6 --minutes 15 -o six.onnx
    aspgames match breakthrough -c width=6 -c height=6 --net six.onnx

Silver et al. 2018, "A general reinforcement learning algorithm that masters chess, shogi, and Go",
with a small network and some hundred games at once. Both sides share the network, which sees the
board from the side on move (``Game.relative``).
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import aspgames

GAMES = 256  # at once
SIMULATIONS = 64
OPENING = 8  # plies with moves chosen by their visits
KEPT = 100_000  # positions
BATCH = 512
CHANNELS, BLOCKS = 32, 4


class Block(nn.Module):
    """A residual block."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add what the layers find."""
        return torch.relu(x + self.layers(x))


class Network(nn.Module):
    """From planes to a score of each move, and the value for the side on move."""

    def __init__(self, shape: tuple[int, int, int], moves: int) -> None:
        super().__init__()
        planes, height, width = shape
        self.tower = nn.Sequential(
            nn.Conv2d(planes, CHANNELS, 3, padding=1, bias=False),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            *(Block() for _ in range(BLOCKS)),
        )
        cells = height * width
        self.policy = nn.Sequential(
            nn.Conv2d(CHANNELS, 8, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * cells, moves)
        )
        self.value = nn.Sequential(
            nn.Conv2d(CHANNELS, 4, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(4 * cells, 64),
            nn.ReLU(),
            nn.Linear(64, 1),
            nn.Tanh(),
        )

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores and values, one state a row."""
        x = self.tower(observation)
        return self.policy(x), self.value(x)[:, 0]


class Player(Network):
    """The network with a weight for each move in place of a score, as a search asks for."""

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Weights and values, one state a row."""
        scores, values = super().forward(observation)
        return torch.softmax(scores, 1), values


class SelfPlay:
    """Games of the network against itself, and the positions of those that ended."""

    def __init__(self, game: aspgames.Game, net: Network) -> None:
        self.view, self.net = game.relative, net
        self.batch = aspgames.Batch(game, GAMES, threads=1)
        self.rng = np.random.default_rng(1)
        self.plies = np.zeros(GAMES, np.int32)
        self.open: list[list[tuple]] = [[] for _ in range(GAMES)]
        self.kept: list[tuple] = []
        self.found, self.ended = None, 0

    @torch.inference_mode()
    def evaluate(self, seen: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The evaluation for the search."""
        scores, values = self.net(torch.from_numpy(seen))
        scores.masked_fill_(~torch.from_numpy(legal), -torch.inf)
        return torch.softmax(scores, 1).numpy(), values.numpy()

    def play(self) -> int:
        """Play a move in each game; returns the number of new positions to learn from."""
        batch, view = self.batch, self.view
        self.net.eval()
        self.found = found = aspgames.mcts.search(
            batch,
            self.evaluate,
            SIMULATIONS,
            noise=0.25,
            temperature=np.where(self.plies < OPENING, 1.0, 0.2),
            reuse=self.found,
            seed=self.rng,
            relative=True,
        )
        movers = batch.to_move
        legal, policy = view.take(batch.legal, movers), view.take(found.policy, movers)
        seen = view.of_batch(batch).astype(np.float16)
        for n, steps in enumerate(self.open):
            steps.append((seen[n], legal[n], policy[n], found.values[n], movers[n]))
        batch.step(found.moves)
        self.plies += 1
        new = 0
        for n in np.flatnonzero(batch.is_terminal):
            results = batch.goals[n] / 50 - 1
            for *inputs, value, mover in self.open[n]:
                self.kept.append((*inputs, np.float32((results[mover] + value) / 2)))
            new += len(self.open[n])
            self.open[n], self.plies[n] = [], 0
            self.ended += 1
        batch.reset(batch.is_terminal)
        del self.kept[:-KEPT]
        return new

    def learn(self, steps: int, optimizer: torch.optim.Optimizer) -> float:
        """Fit the network to positions of the last games; returns the mean loss."""
        self.net.train()
        total = 0.0
        for _ in range(steps):
            rows = [self.kept[n] for n in self.rng.integers(len(self.kept), size=BATCH)]
            seen, legal, policy, values = (
                torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True)
            )
            scores, guesses = self.net(seen.float())
            logs = torch.log_softmax(scores.masked_fill(~legal, -1e9), 1)
            loss = -(policy * logs).sum(1).mean() + ((guesses - values) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach())
        return total / steps


def main() -> None:
    """Learn for some minutes, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="breakthrough")
    parser.add_argument("-c", "--const", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("-o", "--output", type=Path, default=Path("alphazero.onnx"))
    given = parser.parse_args()
    constants = (each.split("=") for each in given.const)
    game = aspgames.load(given.game, **{name: int(value) for name, value in constants})
    torch.manual_seed(1)
    net = Network(game.observation.shape, len(game.relative.moves))
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    games, began, told, waiting = SelfPlay(game, net), time.monotonic(), 0.0, 0
    loss = 0.0
    while (passed := time.monotonic() - began) < 60 * given.minutes:
        optimizer.param_groups[0]["lr"] = 2e-3 * (1 - 0.9 * passed / (60 * given.minutes))
        waiting += games.play()
        if len(games.kept) >= 10 * BATCH and (steps := 4 * waiting // BATCH):
            waiting -= steps * BATCH // 4  # each position is seen four times
            loss = games.learn(steps, optimizer)
        if passed - told > 20:
            told, learned = passed, f"loss {loss:.3f}" if loss else "nothing learned yet"
            print(f"{passed:5.0f} s  {games.ended:6,} games  {learned}", flush=True)
    if not loss:
        print("Nothing was learned: too few games ended; give more --minutes.", flush=True)
    player = Player(game.observation.shape, len(game.relative.moves))
    player.load_state_dict(net.state_dict())
    torch.onnx.export(
        player.eval(),
        (torch.zeros(2, *game.observation.shape),),
        str(given.output),
        input_names=["observation"],
        output_names=["priors", "values"],
        dynamic_shapes=[{0: "states"}],
        external_data=False,
    )
    print(f"{games.ended:,} games; the network is in {given.output}")


if __name__ == "__main__":
    main()
