//===- PageData.cpp - What the page computes with -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/PageData.h"
#include "analysis/warps/AccessText.h"
#include "tools/html/HtmlPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::string sectionOf(size_t Kernel) {
  return "kernel-" + std::to_string(Kernel + 1);
}

/// A number that is possible; of sizes, one that passes most guards.
static int64_t firstChoice(const AddressInput &In) {
  static constexpr int64_t OrdinarySize = 1024;
  int64_t Value = In.Why.empty() && In.Width > 11 ? OrdinarySize : 0;
  auto Clamp = [&] {
    Value = std::max(std::min(Value, In.Range.hi()), In.Range.lo());
  };
  Clamp();
  int64_t Modulus = In.Lattice.modulus();
  if (Modulus == 0)
    return In.Lattice.residue();
  Value -= floorMod(Value - In.Lattice.residue(), Modulus);
  if (Value < In.Range.lo())
    Value += Modulus;
  return Value;
}

/// "step", "step2", ...
static std::string keyOfLoop(size_t Loop) {
  return Loop == 0 ? "step" : "step" + std::to_string(Loop + 1);
}

/// Names for the address of the page, each once; numbers have the plain ones,
/// before objects.
static std::vector<std::string> keysOf(const KernelProgram &Program) {
  StringSet<> Taken;
  for (StringRef Reserved : {"kernel", "access", "warp", "block", "grid"})
    Taken.insert(Reserved);
  for (size_t L = 0; L < Program.Loops.size(); ++L)
    Taken.insert(keyOfLoop(L));
  std::vector<std::string> Keys(Program.Inputs.size());
  for (bool AreBases : {false, true})
    for (auto [In, Key] : zip_equal(Program.Inputs, Keys)) {
      if (In.IsBase != AreBases)
        continue;
      Key = StringRef(json::fixUTF8(In.Name)).ltrim("%@").str();
      while (!Taken.insert(Key).second)
        Key = "value." + Key;
    }
  return Keys;
}

static void writeOperation(json::OStream &J, const AddressOperation &O) {
  J.array([&] {
    switch (O.What) {
    case AddressOperation::Kind::Constant: {
      SmallString<24> Text;
      O.Constant.toStringUnsigned(Text);
      J.value("constant");
      J.value(O.Width);
      J.value(StringRef(Text));
      return;
    }
    case AddressOperation::Kind::Input:
      J.value("input");
      J.value(O.Width);
      J.value(O.Number);
      return;
    case AddressOperation::Kind::Register:
      J.value("register");
      J.value(O.Width);
      J.value(O.Name);
      return;
    case AddressOperation::Kind::Iteration:
      J.value("iteration");
      J.value(O.Width);
      J.value(O.Number);
      return;
    case AddressOperation::Kind::Compute:
      J.value(O.Name);
      J.value(O.Width);
      for (unsigned Operand : O.Operands)
        J.value(Operand);
    }
  });
}

static void writeInputs(json::OStream &J, const KernelProgram &Program) {
  std::vector<std::string> Keys = keysOf(Program);
  unsigned Bases = 0;
  for (auto [Number, In] : enumerate(Program.Inputs))
    J.object([&, Number = Number, &In = In] {
      J.attribute("key", Keys[Number]);
      J.attribute("name", json::fixUTF8(In.Name));
      J.attribute("width", In.Width);
      if (In.IsBase)
        J.attribute("base", ++Bases);
      J.attribute("value", std::to_string(In.IsBase ? 0 : firstChoice(In)));
      if (!In.Why.empty())
        J.attribute("why", json::fixUTF8(In.Why));
      if (In.MayDiffer)
        J.attribute("differs", true);
    });
}

/// Why no request is drawn; empty if one is.
static std::string whyNotDrawn(const AccessReport &R, const AccessProgram &P) {
  const MemoryAccess &A = R.Access;
  bool HasRequests = A.Space == AccessSpace::Global ||
                     A.Space == AccessSpace::Shared ||
                     A.Space == AccessSpace::Generic;
  if (P.Address && HasRequests && isLaneWidth(A.Bytes) &&
      A.Alignment >= A.Bytes)
    return "";
  return R.NotUnderstood.empty() ? R.Pattern : R.NotUnderstood;
}

static void writeAccess(json::OStream &J, const AccessReport &R,
                        const AccessProgram &P) {
  J.object([&] {
    J.attribute("label", accessText(R.Access));
    std::string Why = whyNotDrawn(R, P);
    if (!Why.empty()) {
      J.attribute("why", json::fixUTF8(Why));
      return;
    }
    J.attribute("space",
                R.Access.Space == AccessSpace::Shared ? "shared" : "global");
    J.attribute("bytes", R.Access.Bytes);
    J.attribute("address", *P.Address);
    J.attributeArray("guards", [&] {
      for (unsigned Guard : P.Guards)
        J.value(Guard);
    });
    J.attributeArray("taken", [&] {
      for (const std::string &What : P.UnknownGuards)
        J.value(json::fixUTF8(What));
    });
  });
}

static void writeKernel(json::OStream &J, const KernelReport &Report,
                        const KernelProgram &Program, size_t Number) {
  J.attribute("name", json::fixUTF8(Report.Kernel->Name));
  J.attribute("section", sectionOf(Number));
  J.attribute("block",
              json::Array{Report.Block.X, Report.Block.Y, Report.Block.Z});
  J.attributeArray("operations", [&] {
    for (const AddressOperation &O : Program.Operations)
      writeOperation(J, O);
  });
  J.attributeArray("inputs", [&] { writeInputs(J, Program); });
  J.attributeArray("loops", [&] {
    for (auto [Number, L] : enumerate(Program.Loops))
      J.object([&, Number = Number, &L = L] {
        J.attribute("key", keyOfLoop(Number));
        J.attribute("name", json::fixUTF8(L.Name));
        if (L.Last)
          J.attribute("last", *L.Last);
      });
  });
  J.attributeArray("accesses", [&] {
    for (auto [R, P] : zip_equal(Report.Accesses, Program.Accesses))
      writeAccess(J, R, P);
  });
}

std::string pageData(ArrayRef<KernelReport> Reports,
                     ArrayRef<KernelProgram> Programs) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (auto [Number, Report] : enumerate(Reports))
        J.object([&, Number = Number] {
          writeKernel(J, Report, Programs[Number], Number);
        });
    });
  });
  return jsonInPage(StringRef(Text));
}

} // namespace unravel
