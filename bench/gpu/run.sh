#!/usr/bin/env bash
# Usage: bench/gpu/run.sh FOLDER [PACK-OPTION...]
#
# Builds all that measuring needs into FOLDER (pack.py), and measures there if this
# machine has a GPU. Without one, copy FOLDER to a machine that has: it needs only a
# CUDA driver, and measure.sh in it does the rest. bench/gpu/report.py reads results.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case ${1:-} in "" | -*)
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
  [[ ${1:-} == --help || ${1:-} == -h ]] && exit 0
  exit 2
  ;;
esac
folder=$1
"$here/pack.py" "$@"
if ldconfig -p | grep -q 'libcuda\.so\.1'; then
  "$folder/measure.sh" --out "$folder/results.jsonl"
  "$here/report.py" "$folder/results.jsonl" --html "$folder/results.html"
else
  echo "$folder is complete; this machine has no GPU: run $folder/measure.sh where one is"
fi
