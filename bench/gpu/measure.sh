#!/usr/bin/env bash
# Usage: measure.sh [--out FILE] [--ncu] [GPU-BENCH-OPTION...]
#
# Measures what pack.py put into this folder, on the GPU of this machine; needs a
# CUDA driver. Writes one JSON object a line to results.jsonl, or to FILE.
#
# With --ncu, Nsight Compute counts instead of measuring time: sectors, requests,
# bank conflicts, instructions and how busy each unit is, into FILE with the ending
# .ncu.csv; FILE then names the launches, in their order.
#
# --runs N, --seconds N, --cases PART, --element BYTES and --size NAME are options of
# gpu-bench.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=
ncu=
options=()
while (($#)); do
  case $1 in
  -h | --help)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  --out)
    out=${2:?"measure.sh: --out needs a file"}
    shift
    ;;
  --ncu) ncu=1 ;;
  *) options+=("$1") ;;
  esac
  shift
done

command=("$folder/gpu-bench" "$folder/plan.txt" "$folder/helpers.cubin" "${options[@]}")
if [[ -n $ncu ]]; then
  if ! command -v ncu >/dev/null; then
    echo "measure.sh: --ncu needs Nsight Compute: ncu is not in PATH" >&2
    exit 2
  fi
  out=${out:-launches.jsonl}
  # gpu-bench says when a launch is to be counted; its own kernels are not.
  command=(ncu --csv --log-file "${out%.jsonl}.ncu.csv" --clock-control none
    --target-processes all --profile-from-start off
    --metrics "$(paste -sd, "$folder/metrics.txt")" "${command[@]}" --once)
fi
out=${out:-results.jsonl}
status=0
# An old file goes only when there is a new one.
"${command[@]}" >"$out.partial" || status=$?
if ((status > 1)); then
  rm -f "$out.partial"
  exit "$status"
fi
mv "$out.partial" "$out"
exit "$status"
