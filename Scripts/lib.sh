# shellcheck shell=bash
# Shared by the scripts of this folder: where the package is, what it needs,
# and how the tool is built. Sourced, never run.
#
# Standard output belongs to the tool: everything here speaks on standard error.

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "Error: $1"
  exit "${2:-70}"
}

PACKAGE_ROOT=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# A scratch folder of its own: flags differ from a plain `swift build`, and one
# folder for both would rebuild everything at each turn.
RUN_SCRATCH=$PACKAGE_ROOT/.build-run
export PACKAGE_ROOT RUN_SCRATCH

# One row a library: pkg-config name, Debian and Ubuntu, Fedora, Homebrew.
LIBRARIES=(
  "libpng  libpng-dev  libpng-devel        libpng"
  "libjpeg libjpeg-dev libjpeg-turbo-devel jpeg-turbo"
  "libwebp libwebp-dev libwebp-devel       webp"
)

# Prints column $1 of the rows whose library pkg-config cannot find.
missing_libraries() {
  local row
  for row in "${LIBRARIES[@]}"; do
    read -ra row <<<"$row"
    pkg-config --exists "${row[0]}" 2>/dev/null || printf '%s\n' "${row[$1]}"
  done
}

# Installs system packages without asking, or says what to run by hand.
# $1 = the package manager.
install_packages() {
  local manager=$1
  local -a as_root=()
  shift
  if [[ $manager != brew && $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      fail "Packages are missing and installing them needs root, for which sudo would ask for a \
password. Please run: sudo $manager install $*"
    fi
    as_root=(sudo -n)
  fi
  say "Installing with $manager: $*"
  case $manager in
  apt-get)
    # A fresh machine has no package lists at all. A mirror that fails to
    # update need not matter: the install tells.
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    "${as_root[@]}" update </dev/null >&2 || true
    "${as_root[@]}" install -y --no-install-recommends "$@" </dev/null >&2
    ;;
  dnf) ${as_root[@]+"${as_root[@]}"} dnf -q -y install "$@" </dev/null >&2 ;;
  brew) HOMEBREW_NO_AUTO_UPDATE=1 brew install --quiet "$@" </dev/null >&2 ;;
  esac
}

# Makes sure that pkg-config and the image libraries are there.
ensure_libraries() {
  local manager column tool
  if command -v apt-get >/dev/null; then
    manager=apt-get column=1 tool=pkg-config
  elif command -v dnf >/dev/null; then
    manager=dnf column=2 tool=pkgconf-pkg-config
  elif command -v brew >/dev/null; then
    manager=brew column=3 tool=pkgconf
    # Homebrew keeps some libraries out of the default search path.
    PKG_CONFIG_PATH=$(brew --prefix)/opt/jpeg-turbo/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    export PKG_CONFIG_PATH
  else
    manager='' column=1 tool=pkg-config
  fi

  local -a packages=()
  local name
  command -v pkg-config >/dev/null || packages+=("$tool")
  while read -r name; do packages+=("$name"); done < <(missing_libraries "$column")
  [[ ${#packages[@]} -gt 0 ]] || return 0

  [[ $manager ]] || fail "Please install pkg-config, libpng, libjpeg-turbo and libwebp with \
their development files: no apt-get, dnf or brew was found."
  install_packages "$manager" "${packages[@]}" || fail "Could not install: ${packages[*]}"

  name=$(missing_libraries 0 | tr '\n' ' ')
  [[ -z $name ]] || fail "pkg-config still cannot find: $name"
}

# Swift 6.2 or newer, or a clear word about it.
ensure_swift() {
  local found
  command -v swift >/dev/null ||
    fail "Swift was not found. Please install Swift 6.2 or newer from https://swift.org/install"
  found=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1.\2/p' | head -n 1) || true
  local major=0 minor=0
  read -r major minor <<<"${found/./ }"
  ((major > 6 || (major == 6 && minor >= 2))) ||
    fail "Swift 6.2 or newer is needed, but '$(command -v swift)' is ${found:+version }${found:-no working Swift}. \
Please install a newer one from https://swift.org/install"
}

# The flags of the tool's release build. On Linux the standard library is
# linked in: the tool starts in a third less memory and needs no Swift to run.
tool_flags() {
  printf '%s\n' -c release --product widgetimg --package-path "$PACKAGE_ROOT" \
    --scratch-path "$RUN_SCRATCH"
  [[ $(uname -s) != Linux ]] || printf '%s\n' --static-swift-stdlib
}

# Builds the tool in release and leaves its path in TOOL. Quiet unless it
# takes time or fails.
build_tool() {
  local stamp=$RUN_SCRATCH/.built log flag
  local -a flags=()
  while IFS= read -r flag; do flags+=("$flag"); done < <(tool_flags)
  TOOL=$RUN_SCRATCH/release/widgetimg

  # Compiled modules name the folder they were built in: a clone that was
  # moved or copied starts afresh.
  if [[ -e $stamp && $(<"$stamp") != "$PACKAGE_ROOT" ]]; then
    rm -rf "$RUN_SCRATCH"
  fi
  mkdir -p "$RUN_SCRATCH"
  log=$RUN_SCRATCH/build.$$.log
  if [[ ! -e $stamp || ! -x $TOOL ]]; then
    say "Building widgetimg in release (the first time takes a minute or two) ..."
  elif [[ $(find "$PACKAGE_ROOT/Sources" "$PACKAGE_ROOT/Package.swift" -newer "$stamp" -print | head -n 1) ]]; then
    say "Building widgetimg in release ..."
  fi

  # Standard input is the tool's, not the compiler's.
  if ! swift build "${flags[@]}" </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "The build failed."
  fi
  rm -f "$log"
  printf '%s\n' "$PACKAGE_ROOT" >"$stamp"
  export TOOL
}

# Makes a Python with the pinned NumPy and Pillow that drawing needs (the
# samples and fixtures alone; neither the tool nor its tests do). Leaves its
# path in PYTHON.
ensure_drawing_python() {
  local folder=$PACKAGE_ROOT/.build-python
  PYTHON=$folder/bin/python3
  if ! [[ -x $PYTHON ]]; then
    say "Setting up NumPy and Pillow in .build-python ..."
    if ! python3 -m venv "$folder" >&2; then
      rm -rf "$folder"
      fail "Python 3.11 or newer with its venv module is needed (Debian: apt-get install python3-venv)."
    fi
  fi
  "$PYTHON" -m pip install --quiet --disable-pip-version-check \
    --requirement "$PACKAGE_ROOT/SampleImages/requirements.txt" >&2
  export PYTHON PYTHONDONTWRITEBYTECODE=1
}
