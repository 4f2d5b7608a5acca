#!/usr/bin/env python3
"""What a search keeps of its schedules, over time: figure 5 of the GAMBIT paper, on a blocking collection of about 200 steps.

Two searches as in section 5.4: best-first with at most two preemptions, and without a bound but with partial-order reduction. For
each, the peak is printed, what the uncompressed tree of partial schedules (section 3.1) would have taken, and a plot is written.
Called by `./dev bench space`, which sets HEDDLE_BIN_DIR; also: space.py [--out DIR] [--seconds S].
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["HEDDLE_BIN_DIR"])

# Title, name of the file, arguments of the program, options.
SEARCHES = [
    (
        "at most two preemptions",
        "space-preemptions",
        ["2", "14", "0"],
        ["--preemptions", "2", "--order", "mdpor"],
    ),
    (
        "reduction, any number of preemptions",
        "space-reduction",
        ["1", "9", "5"],
        ["--preemptions", "none", "--reduce", "dpor", "--order", "mdpor,pb"],
    ),
]


def search(command, options, seconds, folder):
    """The JSON report."""
    heddle = [BIN / "heddle", "run", "--quiet", "--json", "-", "--out", folder, "--seconds", str(seconds)]
    ran = subprocess.run(
        [*heddle, "--strategy", "best-first", *options, *command], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    report = json.loads(ran.stdout)
    assert report["verdict"] in ("passed", "incomplete"), report
    return report


def nice(limit):
    """A step for about five marks of an axis."""
    step = 10 ** math.floor(math.log10(max(limit, 1) / 5))
    return next(step * factor for factor in (1, 2, 5, 10) if limit / (step * factor) <= 6)


def short(value):
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def plot(title, samples):
    width, height, left, right, top, bottom = 760, 420, 80, 20, 50, 60
    most_x = samples[-1]["executions"]
    lines = [
        ("execution tree and fringe", "#1f5fa8", [(s["executions"], s["bytes"]) for s in samples]),
        (
            "uncompressed tree of partial schedules",
            "#c2570c",
            [(s["executions"], s["uncompressed_bytes"]) for s in samples if s["uncompressed_bytes"] is not None],
        ),
    ]
    most_y = max(y for _, _, points in lines for _, y in points) / 1e6 or 1
    x_of = lambda x: left + (width - left - right) * x / most_x
    y_of = lambda y: height - bottom - (height - top - bottom) * y / most_y
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="24" font-size="15">{title}</text>',
    ]
    step = nice(most_y)
    for i in range(int(most_y / step) + 1):
        y = y_of(i * step)
        out.append(f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{i * step:g}</text>')
    step = nice(most_x)
    for i in range(int(most_x / step) + 1):
        x = x_of(i * step)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{height - bottom}" y2="{height - bottom + 5}" stroke="black"/>')
        out.append(f'<text x="{x:.1f}" y="{height - bottom + 20}" text-anchor="middle">{short(i * step)}</text>')
    out.append(f'<path d="M{left} {top}V{height - bottom}H{width - right}" fill="none" stroke="black"/>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 16}" text-anchor="middle">executions</text>')
    out.append(f'<text transform="translate(20 {(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">MB</text>')
    for number, (name, colour, points) in enumerate(lines):
        path = " ".join(f"{x_of(x):.1f},{y_of(y / 1e6):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = top + 16 * number
        out.append(f'<line x1="{width - 320}" x2="{width - 296}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - 290}" y="{y + 4}">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=BIN.parent, help="where the plots are written")
    parser.add_argument("--seconds", type=float, default=300, help="budget of each search")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "blocking_collection"
        source = HERE / "programs/blocking_collection.cc"
        subprocess.run([BIN / "heddle-c++", "-std=c++20", "-O2", "-g", source, "-o", program], check=True)
        for title, name, parameters, options in SEARCHES:
            report = search([program, *parameters], options, arguments.seconds, folder)
            memory = report["memory"]
            counted = [s for s in memory["samples"] if s["uncompressed_bytes"]]
            widest = max(counted, key=lambda s: s["uncompressed_bytes"])
            end = "to the end" if report["coverage"]["complete"] else f"{arguments.seconds:g} s, not to the end"
            print(f"{title}, by {report['strategy']['order']}: {report['executions']:,} executions of up to "
                  f"{report['max_steps']} steps ({end})")
            print(f"  nodes created            {memory['nodes_created']:12,}")
            print(f"  most alive, and waiting  {memory['nodes_peak']:12,}")
            print(f"  uncompressed, peak       {memory['uncompressed_bytes_peak'] / 1e6:12.2f} MB")
            print(f"  tree and fringe then     {widest['bytes'] / 1e6:12.2f} MB, "
                  f"{widest['uncompressed_bytes'] / widest['bytes']:.1f} times less")
            lists = memory["tree_bytes_peak"] - max(s["bytes"] for s in memory["samples"])
            print(f"  backtrack lists, peak    {lists / 1e6:12.2f} MB")
            path = arguments.out / f"{name}.svg"
            path.write_text(plot(f"Blocking collection, {title} ({report['strategy']['order']})", memory["samples"]))
            print(f"  plot                     {path}")


main()
