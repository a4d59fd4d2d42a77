#!/usr/bin/env bash
# Usage: scripts/demo.sh [--html DIR] [FILE.cu|FILE.ll ...] [-- OPTION...]
#
# Shows what Unravel saves: sets this machine up, builds, compiles every FILE
# (default: cuda_samples/*.cu) to PTX without and with the pass, prints what
# changed as a table and writes both PTX side by side as a web page.
#
# --html DIR    where the page goes (default: demo-out/ in the checkout)
# OPTION...     for ptx-compare, for example: -- --arch sm_80 --fail-if-worse
#
# Without a CUDA toolkit .ll files still run; the default is then
# cuda_samples/ir/*.ll.
set -euo pipefail

# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
# shellcheck source=scripts/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

main() {
  local html_dir=$UNRAVEL_ROOT/demo-out files=() options=()
  while (($#)); do
    case $1 in
    -h | --help)
      print_usage "${BASH_SOURCE[0]}"
      exit 0
      ;;
    --html)
      (($# > 1)) || fail "--html needs a folder"
      html_dir=$2
      shift
      ;;
    --)
      options=("${@:2}")
      break
      ;;
    -*) fail "unknown option $1 (ptx-compare's go after --; see --help)" ;;
    *) files+=("$1") ;;
    esac
    shift
  done

  # Before minutes of setting up:
  check_files "${files[@]}"
  if ! mkdir -p "$html_dir" 2>/dev/null || [[ ! -w $html_dir ]]; then
    fail "cannot write the page to $html_dir; name another folder with --html"
  fi
  setup
  if ((!${#files[@]})); then
    default_files
  elif [[ -z $UNRAVEL_CUDA_PATH ]]; then
    refuse_cuda_files "${files[@]}"
  fi
  build Unravel ptx-compare # what is shown here; test.sh builds the rest
  compare
}

check_files() {
  local file
  for file in "$@"; do
    [[ -e $file ]] || fail "$file: no such file"
    [[ ! -d $file ]] || fail "$file: a folder; name the .cu or .ll files in it"
    [[ $file == *.cu || $file == *.ll ]] || fail "$file: not a .cu or .ll file"
    [[ -r $file ]] || fail "$file: not readable"
  done
}

default_files() {
  shopt -s nullglob
  if [[ -n $UNRAVEL_CUDA_PATH ]]; then
    files=("$UNRAVEL_ROOT"/cuda_samples/*.cu)
  else
    say "no CUDA toolkit: showing the samples that are there as LLVM IR"
    files=("$UNRAVEL_ROOT"/cuda_samples/ir/*.ll)
  fi
  shopt -u nullglob
  ((${#files[@]})) || fail "there is nothing to show in this checkout"
}

refuse_cuda_files() {
  local file
  for file in "$@"; do
    [[ $file != *.cu ]] ||
      fail "$file: needs a CUDA toolkit; install CUDA 12 or 13 and set CUDA_PATH"
  done
}

compare() {
  local page=$html_dir/index.html status=0
  rm -f "$page" # an old page must not pass for this run's
  [[ -z $UNRAVEL_CUDA_PATH ]] || options=(--cuda-path "$UNRAVEL_CUDA_PATH" "${options[@]}")
  say "compiling ${#files[@]} source(s) to PTX without -> with the pass"
  say "int: integer instructions; ideal: those of a version written by hand;" \
    "div: divisions; all columns: $UNRAVEL_BUILD_DIR/bin/ptx-compare --help"
  "$UNRAVEL_BUILD_DIR/bin/ptx-compare" --html "$page" --jobs "$(nproc)" \
    "${options[@]}" "${files[@]}" || status=$?
  [[ ! -f $page ]] || say "both PTX side by side, for a browser: $page"
  exit "$status"
}

main "$@"
