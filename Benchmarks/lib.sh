# shellcheck shell=bash
# Shared by run and gate: builds what is measured, and sets up the Python that
# drives it. Sourced, never run. Everything here speaks on standard error.

# shellcheck source=Scripts/lib.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../Scripts/lib.sh"

BENCH_FOLDER=$PACKAGE_ROOT/Benchmarks
BENCH_BUILD=$PACKAGE_ROOT/.build-bench
BENCH_PYTHON=$BENCH_BUILD/venv/bin/python
export BENCH_FOLDER PYTHONDONTWRITEBYTECODE=1

# What is installed where it is missing: a command that tells, and its package.
# shellcheck disable=SC2034 # run uses it
BENCH_PROGRAMS=(
  "python3       python3"
  "cc            gcc"
  "vipsthumbnail libvips-tools"
  "gm            graphicsmagick"
  "convert-im6.q16 imagemagick"
)
# PyPI, a package a row; the name to import stands first.
# shellcheck disable=SC2034 # run and gate use it
BENCH_MODULES=(
  "numpy          numpy"
  "PIL            pillow"
  "cykooz_resizer cykooz.resizer"
  "cv2            opencv-python-headless"
  "pyvips         pyvips[binary]"
)

# Builds the tool as Scripts/run does, and the resize core beside it, with the
# same flags. Leaves their paths in TOOL and CORE.
build_measured() {
  local log flag
  local -a flags=()
  build_tool
  CORE=$RUN_SCRATCH/release/WidgetBenchmarks
  while IFS= read -r flag; do
    [[ $flag != widgetimg ]] || flag=WidgetBenchmarks
    flags+=("$flag")
  done < <(tool_flags)
  log=$RUN_SCRATCH/benchmarks.$$.log
  if ! swift build "${flags[@]}" </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "WidgetBenchmarks does not build."
  fi
  rm -f "$log"
  export CORE
}

# Installs missing Debian packages of the rows given; a failure is told and
# passed over: a peer that is not here becomes a row `skipped`.
ensure_programs() {
  local row packages=()
  command -v apt-get >/dev/null || return 0
  for row in "$@"; do
    read -ra row <<<"$row"
    command -v "${row[0]}" >/dev/null || packages+=("${row[1]}")
  done
  ((${#packages[@]})) || return 0
  (install_packages apt-get "${packages[@]}") ||
    say "Could not install ${packages[*]}: what needs them is skipped."
}

# Makes the virtual environment with the modules given; 1 where there is none.
ensure_bench_python() {
  local row
  if ! command -v python3 >/dev/null; then
    say "python3 is not here and could not be installed."
    return 1
  fi
  if ! [[ -x $BENCH_PYTHON ]]; then
    say "Setting up Python in .build-bench/venv ..."
    if ! python3 -m venv "$BENCH_BUILD/venv" >&2; then
      rm -rf "$BENCH_BUILD/venv"
      if command -v apt-get >/dev/null; then
        (install_packages apt-get python3-venv) || true
      fi
      python3 -m venv "$BENCH_BUILD/venv" >&2 || return 1
    fi
  fi
  for row in "$@"; do
    read -ra row <<<"$row"
    "$BENCH_PYTHON" -c "import ${row[0]}" 2>/dev/null && continue
    say "Installing ${row[1]} from PyPI into .build-bench/venv ..."
    "$BENCH_PYTHON" -m pip install --quiet --disable-pip-version-check "${row[1]}" >&2 ||
      say "Could not install ${row[1]}: what needs it is skipped."
  done
}
