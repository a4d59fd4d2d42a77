# shellcheck shell=bash disable=SC2034 # others use what it sets
# What every script shares: where things are, and how it talks.
# Progress goes to stderr, so that stdout carries only reports.

UNRAVEL_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
UNRAVEL_BUILD_DIR=${UNRAVEL_BUILD_DIR:-$UNRAVEL_ROOT/build}
UNRAVEL_LLVM=/usr/lib/llvm-22

say() { printf 'unravel: %s\n' "$*" >&2; }
fail() {
  printf 'unravel: error: %s\n' "$*" >&2
  exit 1
}

# A script's --help is the comment at its top.
print_usage() {
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"
}

# run_logged LOG COMMAND...: quiet when it works, the log's tail when not.
run_logged() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null && return 0
  tail -n 20 "$log" >&2
  say "the whole log is in $log"
  return 1
}

# What clang needs of a toolkit: headers, device library, assembler.
is_cuda_toolkit() {
  [[ -f $1/include/cuda.h && -f $1/nvvm/libdevice/libdevice.10.bc &&
    -x $1/bin/ptxas ]]
}

# Prints the toolkit to use, nothing if there is none.
find_cuda_toolkit() {
  [[ -z ${UNRAVEL_NO_CUDA:-} ]] || return 0
  local dir
  for dir in "${CUDA_PATH:-}" /usr/local/cuda "$UNRAVEL_ROOT/.deps/cuda"; do
    if [[ -n $dir ]] && is_cuda_toolkit "$dir"; then
      printf '%s\n' "$dir"
      return 0
    fi
  done
}
