#!/usr/bin/env bash
# Usage: scripts/setup.sh [PACKAGE...]
#
# Installs what Unravel needs and this machine lacks: LLVM 22, build tools
# and (with PACKAGE) what only some jobs need, through apt; a CUDA toolkit from
# NVIDIA's PyPI wheels, unless CUDA_PATH or /usr/local/cuda has one.
# Does nothing when all is there. The other scripts source it and call `setup`,
# which sets UNRAVEL_CUDA_PATH (empty: no toolkit, only .ll inputs work).
#
# UNRAVEL_NO_CUDA=1   use no CUDA toolkit and install none

# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

APT_PACKAGES=(clang-22 llvm-22 llvm-22-dev llvm-22-tools cmake ninja-build g++
  libgtest-dev libbenchmark-dev libz3-dev libzstd-dev python3)

# One CUDA release, so that every machine without a toolkit gets the same one.
# nvcc brings ptxas, nvvm libdevice, cccl what cuda_fp16.h includes.
CUDA_WHEELS=('nvidia-cuda-nvcc==13.0.88' 'nvidia-nvvm==13.0.88'
  'nvidia-cuda-crt==13.0.88' 'nvidia-cuda-runtime==13.0.96'
  'nvidia-cuda-cccl==13.0.85')

setup() {
  install_packages "${APT_PACKAGES[@]}" "$@" || exit 1
  UNRAVEL_CUDA_PATH=$(find_cuda_toolkit)
  if [[ -z $UNRAVEL_CUDA_PATH && -z ${UNRAVEL_NO_CUDA:-} ]]; then
    if install_cuda_wheels "$UNRAVEL_ROOT/.deps/cuda"; then
      UNRAVEL_CUDA_PATH=$UNRAVEL_ROOT/.deps/cuda
    else
      say "no CUDA toolkit: .ll inputs still run; for .cu inputs install CUDA" \
        "12 or 13 and set CUDA_PATH to it"
    fi
  fi
  if [[ -n ${CUDA_PATH:-} && -n $UNRAVEL_CUDA_PATH &&
    $CUDA_PATH != "$UNRAVEL_CUDA_PATH" ]]; then
    say "CUDA_PATH=$CUDA_PATH is no complete toolkit, using $UNRAVEL_CUDA_PATH"
  fi
  export UNRAVEL_CUDA_PATH
}

# Asks for the thing itself where it can: an LLVM 22 built from source into
# the same place is as good as a package.
is_present() {
  case $1 in
  clang-22) [[ -x $UNRAVEL_LLVM/bin/clang++ ]] ;;
  llvm-22) [[ -x $UNRAVEL_LLVM/bin/opt && -x $UNRAVEL_LLVM/bin/llc ]] ;;
  llvm-22-dev) [[ -f $UNRAVEL_LLVM/lib/cmake/llvm/LLVMConfig.cmake ]] ;;
  llvm-22-tools) [[ -x $UNRAVEL_LLVM/bin/FileCheck && -x $UNRAVEL_LLVM/bin/not ]] ;;
  cmake | g++ | python3 | clang-format-22) command -v "$1" >/dev/null ;;
  ninja-build) command -v ninja >/dev/null ;;
  python3-pip) python3 -m pip --version >/dev/null 2>&1 ;;
  libgtest-dev) [[ -f /usr/include/gtest/gtest.h ]] ;;
  libbenchmark-dev) [[ -f /usr/include/benchmark/benchmark.h ]] ;;
  libzstd-dev) [[ -f /usr/include/zstd.h ]] ;;
  chromium) command -v chromium chromium-browser google-chrome >/dev/null ;;
  libz3-dev) [[ -f /usr/include/z3++.h ]] ;;
  *) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q ' installed' ;;
  esac
}

install_packages() {
  local package missing=()
  for package in "$@"; do
    is_present "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local remedy="install by hand: ${missing[*]}"
  if ! command -v apt-get >/dev/null; then
    say "error: this system has no apt-get; $remedy"
    return 1
  fi
  if ((EUID)) && ! command -v sudo >/dev/null; then
    say "error: neither root nor sudo; as root run: apt-get install ${missing[*]}"
    return 1
  fi
  say "reading apt's package lists"
  apt_get update || say "some package lists could not be read, going on"
  if [[ ${missing[*]} == *-22* ]] && ! apt_has llvm-22-dev; then
    add_llvm_repository || return 1
  fi
  say "installing ${missing[*]}"
  apt_get install -y --no-install-recommends "${missing[@]}" && return 0
  say "error: apt-get could not install them; $remedy"
  return 1
}

as_root() { if ((EUID)); then sudo "$@"; else "$@"; fi; }
apt_has() { apt-cache show "$1" >/dev/null 2>&1; }
apt_get() {
  run_logged "$UNRAVEL_ROOT/.deps/apt-$1.log" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"
}

# For systems whose own archive has no LLVM 22 (Ubuntu up to 25.10).
add_llvm_repository() {
  local list=/etc/apt/sources.list.d/unravel-llvm-22.list
  local key=/etc/apt/keyrings/apt.llvm.org.asc codename url
  # shellcheck source=/dev/null
  codename=$(. /etc/os-release && echo "${UBUNTU_CODENAME:-${VERSION_CODENAME:-}}")
  url=https://apt.llvm.org/$codename/
  say "apt here has no LLVM 22, adding the repository $url"
  if install_packages ca-certificates curl &&
    as_root mkdir -p "${key%/*}" &&
    as_root curl -fsSL --max-time 60 -o "$key" \
      https://apt.llvm.org/llvm-snapshot.gpg.key &&
    echo "deb [signed-by=$key] $url llvm-toolchain-$codename-22 main" |
    as_root tee "$list" >/dev/null &&
    apt_get update && apt_has llvm-22-dev; then
    return 0
  fi
  as_root rm -f "$list" "$key"
  say "error: no LLVM 22 from apt or apt.llvm.org; install LLVM and clang 22" \
    "into $UNRAVEL_LLVM and run this again"
  return 1
}

# The wheels share one tree, nvidia/cu13, which is a toolkit all but in name.
install_cuda_wheels() {
  local target=$1 staging=$1.partial
  say "no CUDA toolkit found, installing NVIDIA's PyPI wheels into $target" \
    "(105 MB, once)"
  install_packages python3-pip || return 1
  rm -rf "$staging"
  run_logged "$UNRAVEL_ROOT/.deps/pip.log" \
    python3 -m pip install --disable-pip-version-check --no-deps \
    --only-binary :all: --target "$staging" "${CUDA_WHEELS[@]}" || return 1
  local tree=$staging/nvidia/cu13
  ln -sfn lib "$tree/lib64"
  ln -sfn libcudart.so.13 "$tree/lib/libcudart.so"
  # clang includes this one header of cuRAND for every .cu file. Empty is
  # enough for files that do not use cuRAND, and its wheel is as big as the rest.
  : >"$tree/include/curand_mtgp32_kernel.h"
  is_cuda_toolkit "$tree" || {
    say "error: the wheels lack ptxas, libdevice or cuda.h"
    return 1
  }
  rm -rf "$target"
  mv "$tree" "$target" # last, so that an interrupted install is not taken
  rm -rf "$staging"
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  case ${1:-} in -h | --help)
    print_usage "$0"
    exit 0
    ;;
  esac
  setup "$@"
  say "LLVM: $UNRAVEL_LLVM, CUDA: ${UNRAVEL_CUDA_PATH:-none}"
fi
