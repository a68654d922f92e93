# Shared by quickstart.sh and test.sh: missing packages and the build. Sourced, with the repository as current folder.

say() { printf '%s\n' "== $*" >&2; }

# Packages of jobs/packages.txt: those above the line "# tests" with `run`, all with `tests`.
packages() {
  if [ "$1" = run ]; then sed '/^# tests/,$d' jobs/packages.txt; else cat jobs/packages.txt; fi | sed '/^#/d; /^$/d'
}

missing_packages() {
  local package
  for package in $(packages "$1"); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "No apt here. These Debian 12 packages, or their like, are needed; going on as if they were there:"
    packages "$1" | tr '\n' ' ' >&2
    echo >&2
    return
  fi
  local missing as_root=()
  missing=$(missing_packages "$1" | tr '\n' ' ')
  [ -z "$missing" ] && return
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Packages are missing, and there is neither root nor sudo to install them: $missing"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing $missing"
  "${as_root[@]}" apt-get update -q </dev/null >&2
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing </dev/null >&2
}

# How many compilers at once: one per core, and no more than memory has room for (a gigabyte and a half each).
compilers() {
  local cores room
  cores=$(nproc)
  room=$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null || echo "$cores")
  [ "${room:-1}" -ge 1 ] || room=1
  if [ "$room" -lt "$cores" ]; then echo "$room"; else echo "$cores"; fi
}

# configure PRESET OPTION...: configures build/PRESET, with a compiler cache where there is one.
configure() {
  local preset=$1 cache=()
  shift
  if command -v ccache >/dev/null; then
    cache=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # what it asks for with precompiled headers
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1      # what was built in one folder serves another
  fi
  cmake --preset "$preset" "${cache[@]}" "$@" >&2
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  cmake --build "build/$preset" --parallel "$(compilers)" --target "$@" >&2
}
