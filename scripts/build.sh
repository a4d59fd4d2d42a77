#!/usr/bin/env bash
# Usage: scripts/build.sh [NINJA-TARGET...]
#
# Configures once and builds; setup.sh must have run before.
#
# UNRAVEL_BUILD_DIR    where to build (default: build/ in the checkout)
# UNRAVEL_CMAKE_ARGS   more arguments for cmake, separated by spaces

# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build() {
  configure
  local log=$UNRAVEL_BUILD_DIR/build.log
  say "building in $UNRAVEL_BUILD_DIR"
  if ! ninja -C "$UNRAVEL_BUILD_DIR" -j "$(nproc)" "$@" 2>&1 </dev/null |
    tee "$log" | show_progress; then
    grep -A 25 -m 1 '^FAILED' "$log" >&2 || tail -n 25 "$log" >&2
    fail "the build failed; the whole log is in $log"
  fi
}

# ninja itself runs cmake again when a CMakeLists.txt changes. Only other
# arguments need a new configuration, from an empty cache: what is no longer
# asked for must not linger.
configure() {
  local arguments=(-G Ninja -S "$UNRAVEL_ROOT" -B "$UNRAVEL_BUILD_DIR"
    -DCMAKE_BUILD_TYPE=Release
    -DLLVM_DIR="$UNRAVEL_LLVM/lib/cmake/llvm"
    -DUNRAVEL_CUDA_PATH="${UNRAVEL_CUDA_PATH-$(find_cuda_toolkit)}")
  # shellcheck disable=SC2206 # split on purpose
  arguments+=(${UNRAVEL_CMAKE_ARGS:-})
  local stamp=$UNRAVEL_BUILD_DIR/configured-with.txt
  if [[ -f $UNRAVEL_BUILD_DIR/build.ninja && -f $stamp &&
    ${arguments[*]} == "$(<"$stamp")" ]]; then
    return
  fi
  say "configuring $UNRAVEL_BUILD_DIR"
  mkdir -p "$UNRAVEL_BUILD_DIR"
  rm -f "$UNRAVEL_BUILD_DIR/CMakeCache.txt" "$stamp"
  run_logged "$UNRAVEL_BUILD_DIR/configure.log" cmake "${arguments[@]}" ||
    fail "cmake could not configure the build"
  printf '%s\n' "${arguments[*]}" >"$stamp"
}

# ninja's "[12/80] Building ...": one moving line on a terminal, a line every
# tenth of a longer way elsewhere.
show_progress() {
  local line tenth shown=0
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [[ -t 2 ]]; then
      printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
    else
      ((BASH_REMATCH[2] >= 10)) || continue
      tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      ((tenth > shown)) || continue
      printf '  %s of %s\n' "${BASH_REMATCH[@]:1}" >&2
      shown=$tenth
    fi
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  case ${1:-} in -h | --help)
    print_usage "$0"
    exit 0
    ;;
  esac
  build "$@"
fi
