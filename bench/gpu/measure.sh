#!/usr/bin/env bash
# Usage: measure.sh [--out FILE] [--ncu] [GPU-BENCH-OPTION...]
#
# Measures what pack.py put into this folder, on the GPU of this machine; needs a
# CUDA driver. Writes one JSON object a line to results.jsonl, or to FILE. With
# --ncu, Nsight Compute also counts sectors, requests, bank conflicts and integer
# instructions of each version, into FILE with the ending .ncu.csv.
#
# --runs N and --cases PART are options of gpu-bench.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=results.jsonl
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

if [[ -n $ncu ]] && ! command -v ncu >/dev/null; then
  echo "measure.sh: --ncu needs Nsight Compute: ncu is not in PATH" >&2
  exit 2
fi
bench=("$folder/gpu-bench" "$folder/plan.txt" "$folder/helpers.cubin" "${options[@]}")
status=0
# An old file goes only when there is a new one.
"${bench[@]}" >"$out.partial" || status=$?
if ((status > 1)); then
  rm -f "$out.partial"
  exit "$status"
fi
mv "$out.partial" "$out"
if [[ -n $ncu ]]; then
  # The kernels of gpu-bench itself are not of interest.
  ncu --csv --clock-control none --target-processes all \
    --kernel-name-base function --kernel-name 'regex:^(?!fill_|copy$|spin$|differences$)' \
    --metrics "$(paste -sd, "$folder/metrics.txt")" \
    "${bench[@]}" --once >"${out%.jsonl}.ncu.csv"
fi
exit "$status"
