"""Parts of the pages on the claims of the papers and their verdicts."""

import re
from functools import cache

import pandas as pd

import measured
from experiments.evaluation.verdicts import (
    AS_THEY_ARE,
    NOT_JUDGED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    UNDECIDED,
)
from layout import markdown, wide

VERDICTS = [REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_JUDGED, NOT_TESTABLE]
# Below this a run like ours would rather miss a claim that is true.
LOW_POWER = 0.5
ICLR = "ICLR 2021"
HEADS = {REPRODUCED: "Reproduced", NOT_REPRODUCED: "Not reproduced", UNDECIDED: "Undecided"}
# Of the papers' figures and tables, as captions and sources name them.
PLACES = re.compile(
    r"(ICLR 2021|Zheng 2017|Thesis 2017|JMLR 2018)|(Figure|Table)s?((?: and |, | |\d)+)"
)


@cache
def claims() -> pd.DataFrame:
    """Collect the verdicts of all presets that judge sentences of papers."""
    tables = {"paper": measured.table("paper/claims.csv")}
    choices = measured.table("sensitivity/choices.csv")
    others = (choices["choice"] == AS_THEY_ARE) & ~choices["name"].isin(tables["paper"]["name"])
    tables["sensitivity"] = choices[others].drop(columns=["choice", "group", "label"])
    for name in ("zheng", "telugu"):
        if (measured.RESULTS / name / "claims.csv").exists():
            tables[name] = measured.table(f"{name}/claims.csv")
    whole = pd.concat([of.assign(preset=name) for name, of in tables.items()], ignore_index=True)
    whole = whole.fillna({"note": "", "belongs_to": "", "short": ""})
    whole["paper"] = whole["source"].str.split(",").str[0]
    return whole


def counted(iclr: bool = True) -> pd.DataFrame:
    """Keep the claims that count, of ICLR 2021 or of the others."""
    found = claims()
    return found[(found["belongs_to"] == "") & ((found["paper"] == ICLR) == iclr)]


def count(iclr: bool = True) -> str:
    """Count the claims by their verdicts, in a sentence."""
    by = counted(iclr)["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
    of = ICLR if iclr else "Zheng, Achanta and Benjamini"
    says = [
        f"{are(by[REPRODUCED])} reproduced",
        f"{are(by[NOT_REPRODUCED])} not",
        f"{are(by[UNDECIDED])} undecided",
    ]
    if by[NOT_JUDGED]:
        says.append(f"{are(by[NOT_JUDGED])} not judged yet")
    if by[NOT_TESTABLE]:
        says.append(f"{are(by[NOT_TESTABLE])} about data that we do not have")
    return f"Of {by.sum()} claims of {of}, {', '.join(says[:-1])}, and {says[-1]}."


def are(number: int) -> str:
    """Put a number before its verb."""
    return f"{number} {'is' if number == 1 else 'are'}"


def summary() -> str:
    """Say of each paper what holds, and what does not."""
    lines = []
    for iclr in (True, False):
        rows = counted(iclr)
        lines.append(f"{count(iclr)}\n")
        for verdict, head in HEADS.items():
            names = rows.loc[rows["verdict"] == verdict, "short"]
            if len(names):
                lines += [f"- *{head}*", *(f"  - {name}" for name in names)]
        lines.append("")
    return "\n".join(lines).rstrip()


def table() -> str:
    """List the claims that count with their verdicts, then what belongs to them."""
    rows, parts = claims(), []
    for title, members in (
        ("Claims that count", rows[rows["belongs_to"] == ""]),
        ("Parts, consequences and other readings of these", rows[rows["belongs_to"] != ""]),
    ):
        power = members["power"].map("{:.2f}".format)
        power += (members["power"] < LOW_POWER).map({True: " (low)", False: ""})
        shown = {
            "verdict": "**" + members["verdict"] + "**",
            "claim": members["claim"] + " (" + members["source"] + ")",
            "printed": members["printed"].fillna(""),
            "here": members["ours"],
            "n": members["repetitions"].replace(0, ""),
            "true in resamples": members["holds"].map("{:.2f}".format),
            "power": power,
            "with other choices": members["name"].map(other_choices()).fillna(""),
        }
        if members["belongs_to"].any():
            names = rows.set_index("name")["short"]
            shown["belongs to"] = members["belongs_to"].map(names)
        cells = pd.DataFrame(shown).astype(str).replace("nan", "")
        notes = [f"- *{row.claim}.* {row.note}" for row in members.itertuples() if row.note]
        parts += [f"## {title} ({len(members)})"]
        parts += [wide(list(shown), cells.itertuples(index=False), "claims"), "\n".join(notes)]
    return "\n\n".join(part for part in parts if part)


@cache
def other_choices() -> pd.Series:
    """Say by claim which verdict it has with other rules of KDE and the other gallery."""
    rows = measured.table("paper/choices.csv")
    rows = rows[(rows["choice"] != AS_THEY_ARE) & ~rows["verdict"].isin([NOT_JUDGED, NOT_TESTABLE])]

    def by_verdict(members: pd.DataFrame) -> str:
        labels = members.groupby("verdict", sort=False)["label"].agg(", ".join)
        return "; ".join(f"{names}: {verdict}" for verdict, names in labels.items())

    return rows.groupby("name")[["verdict", "label"]].apply(by_verdict)


def places(text: str) -> set[tuple[str, str]]:
    """Find the figures and tables that a text names, each with its paper."""
    paper, found = "", set()
    for name, kind, numbers in PLACES.findall(text):
        paper = name or paper
        found |= {(paper, f"{kind} {number}") for number in re.findall(r"\d+", numbers)}
    return found


def beside_figure(ours: str, printed_as: str) -> str:
    """List the claims that name a figure or table of the papers, which `ours` shows."""
    rows = claims()
    shown = rows["source"].map(lambda source: bool(places(source) & places(printed_as)))
    shown &= (rows["verdict"] != NOT_TESTABLE) & (rows["preset"] == ours.split("/")[0])
    depth = re.search(r"_d(\d+)$", ours)
    if depth:
        shown &= rows["claim"].str.contains(rf"d = (?:3 and )?{depth[1]}\b")
    found = rows.loc[shown, ["claim", "printed", "ours", "verdict"]].fillna("")
    heads = ["what the paper says", "printed", "here", "verdict"]
    return markdown(heads, found.itertuples(index=False)) if len(found) else ""


def choices() -> str:
    """Count the verdicts under each choice, and say how many repetitions they rest on."""
    frame = measured.table("sensitivity/choices.csv").fillna({"group": "", "label": ""})
    rows = []
    for _, members in frame[frame["belongs_to"].isna()].groupby("choice", sort=False):
        by = members["verdict"].value_counts()
        n = members.loc[members["repetitions"] > 0, "repetitions"]
        chosen = f"{members['group'].iloc[0]} {members['label'].iloc[0]}".strip()
        each = [by.get(verdict, 0) for verdict in VERDICTS]
        repetitions = " to ".join(dict.fromkeys([str(n.min()), str(n.max())]))
        rows.append([chosen or "as in the preset", len(members), *each, repetitions])
    return wide(["choice", "claims it touches", *VERDICTS, "repetitions"], rows)
