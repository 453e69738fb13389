"""What the fuzz tests tried, and its summary at the end of the run."""

from collections import Counter, defaultdict

TRIED: dict[str, Counter] = defaultdict(Counter)
HOW: Counter = Counter()


def pytest_terminal_summary(terminalreporter):
    if not TRIED:
        return
    write = terminalreporter.write_line
    terminalreporter.section("what the fuzz tests tried")
    for what, outcomes in TRIED.items():
        counted = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
        write(f"{what:<46}{outcomes.total():>6}: {counted}")
    write(f"{'all':<46}{sum(outcomes.total() for outcomes in TRIED.values()):>6}")
    write("damage: " + ", ".join(f"{how} {count}" for how, count in HOW.most_common()))
