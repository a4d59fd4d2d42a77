//===- TextEffects.cpp - What instructions do that stay text --------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/TextEffects.h"
#include "ptx/flow/AsyncRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

static Effect effectByBase(StringRef Base) {
  return StringSwitch<Effect>(Base)
      .Cases({"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt"},
             Effect::Pure)
      .Cases({"sin", "cos", "lg2", "ex2", "tanh", "neg", "abs", "min", "max"},
             Effect::Pure)
      .Cases({"cvt", "copysign", "testp", "set", "setp", "selp", "slct"},
             Effect::Pure)
      .Cases({"lop3", "bfe", "bfi", "bfind", "fns", "popc", "clz", "brev"},
             Effect::Pure)
      .Cases({"prmt", "sad", "mul24", "mad24", "dp2a", "dp4a", "szext", "bmsk",
              "shf"},
             Effect::Pure)
      .Cases({"isspacep", "createpolicy", "and", "or", "xor", "not", "shl",
              "shr", "cnot"},
             Effect::Pure)
      .Cases({"rem", "mma", "movmatrix", "getctarank", "mapa"}, Effect::Pure)
      .Cases({"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr",
              "vmad", "vset"},
             Effect::Pure)
      .Cases(
          {"vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2"},
          Effect::Pure)
      .Cases(
          {"vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4"},
          Effect::Pure)
      .Cases({"tex", "tld4", "txq", "suld", "suq", "ldmatrix"}, Effect::Reads)
      .Cases({"ldu", "shfl", "vote", "match", "activemask", "redux", "elect"},
             Effect::Any)
      .Cases({"atom", "mov"}, Effect::Any)
      .Cases({"st", "red", "call", "bar", "barrier", "membar", "fence",
              "stmatrix", "prefetch", "prefetchu"},
             Effect::NoResult)
      .Cases({"griddepcontrol", "nanosleep", "trap", "brkpt", "discard",
              "applypriority", "setmaxnreg", "sust", "sured", "cp", "pmevent",
              "tensormap"},
             Effect::NoResult)
      .Default(Effect::Unknown);
}

bool unravel::ptx::readsCarry(const ptx::Instruction &I) {
  return is_contained({"addc", "subc", "madc"}, I.base());
}

bool unravel::ptx::usesCarry(const ptx::Instruction &I) {
  return I.has("cc") || readsCarry(I);
}

/// (`.cv` fetches again, and `.cg` reads what other multiprocessors wrote:
/// flags are waited for with either.)
static bool hasMemoryOrder(const ptx::Instruction &I) {
  return I.has("volatile") || I.has("relaxed") || I.has("acquire") ||
         I.has("release") || I.has("mmio") || I.has("cv") || I.has("cg");
}

Effect unravel::ptx::effectOf(const ptx::Instruction &I, bool IsInGroup) {
  StringRef Base = I.base();
  StringRef What = I.Words.size() > 1 ? I.Words[1] : "";
  // What carries is a chain: one group.
  if (usesCarry(I))
    return IsInGroup ? Effect::Pure : Effect::Unknown;
  if (Base == "call" && !IsInGroup)
    return Effect::Unknown;
  if (IsInGroup && isAsync(I))
    return Effect::Unknown;
  if (Base == "ld") {
    if (hasMemoryOrder(I))
      return Effect::Any;
    // Memory that does not change is as good as an operand.
    return I.has("nc") ? Effect::Pure : Effect::Reads;
  }
  if (Base == "mbarrier")
    return StringSwitch<Effect>(What)
        .Cases({"init", "inval", "expect_tx", "complete_tx"}, Effect::NoResult)
        .Cases({"arrive", "arrive_drop", "test_wait", "try_wait"}, Effect::Any)
        .Case("pending_count", Effect::Pure)
        .Default(Effect::Unknown);
  if (Base == "wmma")
    return StringSwitch<Effect>(What)
        .Case("load", Effect::Reads)
        .Case("mma", Effect::Pure)
        .Case("store", Effect::NoResult)
        .Default(Effect::Unknown);
  if (Base == "multimem")
    return StringSwitch<Effect>(What)
        .Case("ld_reduce", Effect::Any)
        .Cases({"st", "red", "cp"}, Effect::NoResult)
        .Default(Effect::Unknown);
  if (Base == "clusterlaunchcontrol")
    return StringSwitch<Effect>(What)
        .Case("try_cancel", Effect::NoResult)
        .Case("query_cancel", Effect::Pure)
        .Default(Effect::Unknown);
  if (Base == "wgmma")
    return StringSwitch<Effect>(What)
        .Case("mma_async", Effect::Any)
        .Cases({"fence", "commit_group", "wait_group"}, Effect::NoResult)
        .Default(Effect::Unknown);
  if (Base == "tcgen05")
    return StringSwitch<Effect>(What)
        .Case("ld", I.has("red") ? Effect::Unknown : Effect::Any)
        .Cases({"st", "mma", "cp", "shift", "commit", "wait::ld", "wait::st"},
               Effect::NoResult)
        .Cases({"alloc", "dealloc", "relinquish_alloc_permit",
                "fence::before_thread_sync", "fence::after_thread_sync"},
               Effect::NoResult)
        .Default(Effect::Unknown);
  // Barriers that answer: bar.red.popc.u32 d, a, p.
  if ((Base == "bar" || Base == "barrier") && I.has("red"))
    return Effect::Any;
  return effectByBase(Base);
}

static bool isConvergent(const ptx::Instruction &I) {
  return I.has("aligned") || I.has("sync") ||
         StringSwitch<bool>(I.base())
             .Cases({"bar", "barrier", "shfl", "vote", "activemask"}, true)
             .Cases({"tcgen05", "griddepcontrol", "tex", "call"}, true)
             .Default(false);
}

/// What these do is between the threads of a warp, and not in memory.
static bool dependsOnThreadsAlone(const ptx::Instruction &I) {
  return is_contained({"shfl", "vote", "match", "activemask", "redux", "elect"},
                      I.base());
}

void TextEffects::add(const ptx::Instruction &I, Effect E) {
  IsConvergent |= isConvergent(I);
  ReadsMemory |= E == Effect::Reads;
  bool DoesMore = E == Effect::Any || E == Effect::NoResult;
  HasSideEffects |= DoesMore;
  WritesMemory |= DoesMore && !dependsOnThreadsAlone(I);
}

OperandRoles::OperandRoles(const ptx::Instruction &I, Effect E)
    : Result(E != Effect::NoResult && !I.Operands.empty() ? &I.Operands.front()
                                                          : nullptr),
      Sources(ArrayRef(I.Operands).drop_front(Result ? 1 : 0)) {}
