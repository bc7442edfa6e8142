"""Many clients at once against `sanshi serve`: requests a second and the 95th percentile of each kind of request.

    python benchmarks/server.py [--clients 50] [--seconds 30] [--workers N]

Starts a server of its own at a free port of the loopback interface, lets the clients ask mixed requests, one after
another each, and prints milliseconds as the clients see them. Any answer but 200, and any broken connection, is an
error; with one error or more it exits with 1. Server and clients share the processors of one machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO
from urllib.parse import quote, urlencode

CAPPED = 500_000
"""How many requests there are at most."""
WAIT = 60.0
"""After how many seconds an answer that has not come is an error."""

PREFIX = "https://w3id.org/sanshi/id/"
BRANCHES = ["01-zi", "02-chou", "03-yin", "04-mao", "05-chen", "06-si", "07-wu", "08-wei", "09-shen"]
HEADINGS = ["印綬", "懸胎", "劫財", "官訟"]
WORDS = ["父母", "懸胎", "wealth", "관귀", "青龍"]
SMALL = "SELECT ?label WHERE { branch:%s rdfs:label ?label }"
JOIN = "SELECT ?j ?quote WHERE { ?j a shi:Judgment ; shi:general ?g ; shi:quote ?quote } LIMIT 100"

Shot = tuple[str, str, Mapping[str, str], bytes]
"""A method, a path with its parameters, headers, and a body."""


def get(path: str, accept: str = "*/*", **parameters: str) -> Shot:
    return "GET", path + (f"?{urlencode(parameters)}" if parameters else ""), {"Accept": accept}, b""


def cast(art: str, dice: random.Random) -> Shot:
    date = f"{dice.randint(1950, 2050)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
    body = json.dumps({"instant": f"{date}T{dice.randint(0, 23):02}:30", "tz": "+08:00"}).encode()
    return "POST", f"/cast/{art}", {"Content-Type": "application/json"}, body


def shot(dice: random.Random) -> tuple[str, Shot]:
    """One request of the mixture, with the kind it is of."""
    kind = dice.choices(
        [
            "cast liuren",
            "cast qimen",
            "sparql small",
            "sparql join",
            "thing",
            "chart",
            "query",
            "search",
            "dts",
            "health",
        ],
        [4, 2, 8, 4, 8, 2, 3, 1, 2, 1],
    )[0]
    branch = dice.choice(BRANCHES)
    work = f"{PREFIX}work/liuren-jingwei"
    match kind:
        case "cast liuren" | "cast qimen":
            return kind, cast(kind.removeprefix("cast "), dice)
        case "sparql small":
            return kind, get("/sparql", "application/sparql-results+json", query=SMALL % branch)
        case "sparql join":
            return kind, get("/sparql", "text/csv", query=JOIN)
        case "thing":
            return kind, get(
                f"/id/branch/{branch}", dice.choice(["text/turtle", "text/html", "application/ld+json"])
            )
        case "chart":
            return kind, get(f"/id/chart/liuren-57-gengshen-h.{branch[3:]}-g.hai.json")
        case "query":
            return kind, get("/query/judgments-of-heading.csv", heading=dice.choice(HEADINGS))
        case "search":
            return kind, get("/search", q=dice.choice(WORDS))
        case "dts":
            return kind, get("/dts/navigation", resource=work, ref=f"3.{dice.randint(1, 55)}", down="1")
    return kind, get("/health")


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: Shot) -> int:
    """Send a request on a connection that stays open, read the answer to its end, and give its status."""
    method, path, headers, body = asked
    lines = [
        f"{method} {quote(path, safe='/?=&%:+.,-_~')} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Length: {len(body)}",
    ]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"(?i)\r\ncontent-length: (\d+)", head)
    if length is None:
        raise ValueError("an answer without its length")
    await reader.readexactly(int(length.group(1)))
    return int(head.split(" ", 2)[1])


async def client(
    number: int, port: int, until: float, times: dict[str, list[float]], errors: Counter[str]
) -> None:
    """One client, which asks again as soon as it has its answer."""
    dice = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < until and sum(map(len, times.values())) < CAPPED:
        kind, asked = shot(dice)
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(WAIT):
                status = await ask(reader, writer, asked)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            errors[f"{kind}: {error!r}"] += 1
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        if status != 200:
            errors[f"{kind}: {status}"] += 1
        times.setdefault(kind, []).append(time.perf_counter() - begun)
    writer.close()


async def load(port: int, clients: int, seconds: float) -> tuple[dict[str, list[float]], Counter[str], float]:
    """All clients at once; the times by kind, the errors, and how long it took."""
    times: dict[str, list[float]] = {}
    errors: Counter[str] = Counter()
    begun = time.perf_counter()
    await asyncio.gather(*(client(n, port, begun + seconds, times, errors) for n in range(clients)))
    return times, errors, time.perf_counter() - begun


def row(kind: str, times: list[float], seconds: float) -> str:
    """A line of the table."""
    ordered = sorted(times)
    figures = [statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))], ordered[-1]]
    return f"{kind:14} {len(ordered):8} {len(ordered) / seconds:9.1f} " + " ".join(
        f"{t * 1e3:8.1f}" for t in figures
    )


def started(workers: int | None, log: IO[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from kg.cli import main; main()", "serve", "--port", "0"]
    return subprocess.Popen(command + (["--workers", str(workers)] if workers else []), stderr=log)


def listening(server: subprocess.Popen[bytes], log: Path) -> int:
    """The port of a server, once it answers. Raises RuntimeError where it ends instead."""
    while server.poll() is None:
        said = log.read_text()
        if "startup complete" in said and (address := re.search(r"http://[^/]+:(\d+)/", said)):
            return int(address.group(1))
        time.sleep(0.1)
    raise RuntimeError(log.read_text())


def main() -> int:
    """Start a server, load it, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--workers", type=int, default=None, help="processes that answer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        log = Path(room) / "log"
        with log.open("w") as written, started(options.workers, written) as server:
            try:
                port = listening(server, log)
                asyncio.run(load(port, 1, 1.0))  # a warm-up, not counted
                times, errors, took = asyncio.run(load(port, options.clients, options.seconds))
            finally:
                server.terminate()
    print(f"{options.clients} clients, {took:.1f} s")
    print(f"{'kind':14} {'requests':>8} {'a second':>9} {'p50 ms':>8} {'p95 ms':>8} {'max ms':>8}")
    for kind in sorted(times):
        print(row(kind, times[kind], took))
    print(row("all", [t for kind in times.values() for t in kind], took))
    print(f"errors: {sum(errors.values())}")
    for line, count in errors.most_common(20):
        print(f"  {count} x {line}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
