"""``python -m hil_tests.demo --rules ID --seed N --rounds N [--json] [--stay]``: the demo as a
process.

Exit status: 0 all was as it must be; 1 something was not, and what; 2 wrong use; 130 interrupted.
With ``--stay`` the table stands until it is interrupted, and that is 0.
However it ends, no process and no file of it is left.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from hil_tests.bench.processes import tablectl
from hil_tests.bench.setup import MBS
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo import standing
from hil_tests.demo.narration import Narration
from hil_tests.demo.plan import Plan, make_plan, shoe_options
from hil_tests.demo.stage import DemoDealer
from hil_tests.tables.comparison import Comparison

INTERRUPTED = 130
MOST_ROUNDS = 1000


def main() -> int:
    """Play the demo; returns the exit status."""
    options = _options()
    interrupted = 0 if options.stay else INTERRUPTED
    status = standing.status_of("demo", partial(_demo, options), interrupted)
    if status == INTERRUPTED:
        print("\ndemo: interrupted; everything is put away", file=sys.stderr)
    return status


def _demo(options: argparse.Namespace) -> int:
    begun = time.monotonic()
    narration = Narration(quiet=options.json)
    plan = make_plan(options.rules, options.seed, options.rounds)
    if options.stay:
        return _stand(plan, narration, as_json=options.json)
    return _run_demo(plan, narration, begun, as_json=options.json)


def _run_demo(plan: Plan, narration: Narration, begun: float, *, as_json: bool) -> int:
    rules = plan.rules
    narration.line(
        f"Table {plan.setup.table} plays {rules.id}: a whole table without hardware", "bold"
    )
    narration.labelled(
        "cards", f"{plan.setup.decks} decks shuffled from {plan.shoe_seed}; not one is arranged."
    )
    if plan.press_in is not None:
        narration.labelled(
            "", f"(Shuffle {plan.shuffles} of this seed: the first with a Pontoon for the button.)"
        )
    with ExitStack() as stack:
        with standing.undisturbed():
            bench = stack.enter_context(_leaving_nothing(plan))
            for name in plan.setup.devices:
                bench.add_device(name, *(shoe_options(plan) if name == "shoe" else ()))
            bench.start_controller()
        dealer = DemoDealer(bench, narration)
        dealer.play(plan)
        came = dealer.stop_and_compare()
        _verify(bench.state_directory, narration)
    if bench.folder.exists():
        came.wrong.append(f"{bench.folder} is left")
    return _print_verdict(plan, dealer, came, narration, time.monotonic() - begun, as_json=as_json)


def _stand(plan: Plan, narration: Narration, *, as_json: bool) -> int:
    with ExitStack() as stack:
        with standing.undisturbed():
            bench = stack.enter_context(_leaving_nothing(plan))
            standing.put_up(bench, shoe_options(plan))
        try:
            standing.print_places(bench, plan.rules, narration, as_json=as_json)
            wrong = standing.stay(bench)
        except KeyboardInterrupt:
            bench.stop_controller()
            return 0
    print(f"demo: NOT WELL: {wrong}", file=sys.stderr)
    return 1


def _verify(state: Path, narration: Narration) -> None:
    """Show the journal's verdict, by the technician's command."""
    narration.title("The journal")
    told = tablectl("journal", "verify", "--state", str(state))
    narration.line("  $ tablectl journal verify", "dim")
    for line in (told.stdout + told.stderr).splitlines():
        narration.line(f"  {line}", "" if told.returncode else "bold green")


def _print_verdict(
    plan: Plan,
    dealer: DemoDealer,
    came: Comparison,
    narration: Narration,
    took_s: float,
    *,
    as_json: bool,
) -> int:
    if as_json:
        told = {
            "rules": plan.rules.id,
            "shoe_seed": plan.shoe_seed,
            "rounds": [state for _, state in dealer.rounds],
            "draws": came.draws,
            "kills": dealer.kills,
            "cards": came.cards,
            "took_s": round(took_s, 1),
            "well": not came.wrong,
            "found": came.wrong,
        }
        print(json.dumps(told))
    narration.line()
    for fault in came.wrong:
        print(f"demo: NOT WELL: {fault}", file=sys.stderr)
    if not came.wrong:
        narration.line(
            f"All as it must be: {len(dealer.rounds)} rounds, {came.cards} cards, "
            f"{came.draws} Pandemonium draw{'s' * (came.draws != 1)}, "
            f"{dealer.kills} kill{'s' * (dealer.kills != 1)}, {took_s:.1f} s. "
            "Nothing is left behind.",
            "bold green",
        )
    return 1 if came.wrong else 0


@contextmanager
def _leaving_nothing(plan: Plan) -> Iterator[VirtualBench]:
    """A bench. However the demo ends, its processes end and its files go, whatever signal comes."""
    with closing(VirtualBench(plan.setup)) as bench:
        try:
            yield bench
        finally:
            standing.be_deaf()  # a signal that comes just before is raised from here


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tablectl demo", description="A whole table.")
    parser.add_argument("--rules", metavar="ID", default=MBS, help="the rule set to play")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="for the same cards again")
    parser.add_argument("--rounds", metavar="N", type=int, default=6, help="how many rounds")
    parser.add_argument("--stay", action="store_true", help="leave the table standing")
    parser.add_argument("--json", action="store_true", help="only what it came to, as JSON")
    options = parser.parse_args()
    if not 1 <= options.rounds <= MOST_ROUNDS:
        parser.error(f"--rounds: expected 1 to {MOST_ROUNDS}")
    if options.seed < 0:
        parser.error("--seed: expected 0 or more")
    return options


if __name__ == "__main__":
    sys.exit(main())
