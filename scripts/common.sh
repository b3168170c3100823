# For all scripts here, which source it: stops the shell at the first error, and installs the machine's packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Code that is never timed is compiled without optimisation (see Package.swift).
export MENUBENCH_SCRIPTS=1

# The tests are built with optimisation, like bench. They take a tenth of the time then, and later steps of CI find
# bench there. Tests may look into their modules, which is not so for bench's own, so they have a folder of their own.
tests=(-c release --scratch-path .build/tests --explicit-target-dependency-import-check error)

# After this call, everything is built like the tests, with warnings as errors, and scripts/bench runs their bench.
as_tested() { export MENUBENCH_STRICT=1 MENUBENCH_TESTS=1; }

# Prints the error and its remedy, then ends.
give_up() {
  printf 'error: %s\nhelp: %s\n' "$1" "$2" >&2
  exit 1
}

# Whether a header of C, or of the given language, can be included. It asks the compiler's search path, not the package
# manager.
have_header() {
  printf '#include <%s>\n' "$1" | cc -E -x "${2:-c}" - >/dev/null 2>&1
}

# Installs Debian or Ubuntu packages if allowed, otherwise prints the command to type.
install_debian() {
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    if sudo -n true 2>/dev/null; then
      sudo="sudo"
    else
      give_up "missing packages: $*" "sudo apt-get update && sudo apt-get install -y $*"
    fi
  fi
  echo "installing $*" >&2
  { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq -o Dpkg::Use-Pty=0 "$@"; } \
    >&2 || give_up "these packages could not be installed: $*" "apt-get update && apt-get install -y $*"
}

# Installs Homebrew formulas if there is Homebrew, otherwise prints the command to type.
install_homebrew() {
  command -v brew >/dev/null || give_up "missing formulas: $*" "install Homebrew, then: brew install $*"
  echo "installing $*" >&2
  brew install --quiet "$@" >&2
}

# Installs everything that the build needs, and the given commands. Quick if they are there. Only work on the program
# needs more: valgrind, whose absence bench explains by itself, and jq, with which the tests try the recipes.
ensure_packages() {
  command -v swift >/dev/null ||
    give_up "there is no Swift here" "install Swift 6.2 or newer: https://www.swift.org/install"
  case "$(uname -s)" in
    Linux)
      local missing=() name
      command -v cc >/dev/null || missing+=(gcc libc6-dev)
      have_header jemalloc/jemalloc.h || missing+=(libjemalloc-dev)
      have_header string c++ || missing+=(g++)
      have_header lmdb.h || missing+=(liblmdb-dev)
      have_header simdjson.h c++ || missing+=(libsimdjson-dev)
      have_header sqlite3.h || missing+=(libsqlite3-dev)
      # Only profiles need it, to link a SQLite that keeps the names of its functions.
      have_header zlib.h || missing+=(zlib1g-dev)
      have_header zstd.h || missing+=(libzstd-dev)
      for name in "$@"; do command -v "$name" >/dev/null || missing+=("$name"); done
      if [ ${#missing[@]} -gt 0 ]; then install_debian "${missing[@]}"; fi
      ;;
    Darwin)
      # The system has SQLite and zlib. The compiler finds the others in the folders of their prefixes.
      local formula prefix
      for formula in jemalloc lmdb simdjson zstd; do
        brew --prefix --installed "$formula" >/dev/null 2>&1 || install_homebrew "$formula"
        prefix=$(brew --prefix "$formula")
        export CPATH="$prefix/include${CPATH:+:$CPATH}"
        export LIBRARY_PATH="$prefix/lib${LIBRARY_PATH:+:$LIBRARY_PATH}"
      done
      ;;
    *) give_up "this system, $(uname -s), is not supported" "use Debian 12, Ubuntu or macOS" ;;
  esac
}

# Checks that the failing rows of decode, or of the load that it is part of, name the planted function in a gate.json:
# gate_names FILE METRIC FUNCTION. The metric `time` stands for each view of a time.
gate_names() {
  python3 - "$@" <<'CHECK' || give_up "the gate does not name what was injected" "see $1"
import json, sys

path, metric, function = sys.argv[1:]
metrics = ("wall", "cpu", "wall_mean") if metric == "time" else (metric,)
first = [[cause["function"] for cause in row["explanation"]["causes"]][:1]
         for row in json.load(open(path))["failing"]
         if row["phase"] in ("decode", "load") and row["metric"] in metrics]
# Another time may fail alone if the gate cannot say whether the load changed.
sys.exit(any(names != [function] for names in first) or not first and metric != "time")
CHECK
}
