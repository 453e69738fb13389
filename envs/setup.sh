#!/usr/bin/env bash
# Installs what the Makefile's targets need: R, then the locked Python environment in .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
as_root() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install_with_apt() {
    say "installing $* with apt-get"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null; } ||
        fail "apt-get could not install $*; see its messages above"
}

if ! command -v R >/dev/null; then
    as_root || fail "R is missing. Install it with 'sudo apt-get install r-base-core' (Debian," \
        "Ubuntu), 'brew install r' (macOS) or 'conda install -c conda-forge r-base' (conda)," \
        "then run this again."
    install_with_apt r-base-core
fi
say "$(R --version | head -n 1)"

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null ||
    fail "Python 3.11, 3.12 or 3.13 is needed, and '$python' is not one of them: install one," \
        "or name it: 'make setup PYTHON=/path/to/python3.11'."

stamp=.venv/.installed-$(cat requirements.txt pyproject.toml | cksum | tr ' ' -)
if [ ! -e "$stamp" ]; then
    # rpy2 then needs no compiler: it finds R when it is imported.
    export RPY2_CFFI_MODE=ABI
    rm -rf .venv
    say "installing the locked environment into .venv (about 2.5 GB, a minute or two)"
    if command -v uv >/dev/null; then
        uv venv --quiet --python "$python" .venv
        uv pip install --python .venv --quiet --compile-bytecode --require-hashes -r requirements.txt
        uv pip install --python .venv --quiet --no-deps --editable .
    else
        if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            as_root || fail "this Python has no venv module: 'sudo apt-get install python3-venv'."
            install_with_apt python3-venv
        fi
        "$python" -m venv .venv
        .venv/bin/pip install --quiet --require-hashes -r requirements.txt
        .venv/bin/pip install --quiet --no-deps --editable .
    fi
    touch "$stamp"
fi
say "ready: $(.venv/bin/python --version), snakemake $(.venv/bin/snakemake --version)"
