//===- HloIndexingTestHelper.h - Which elements are really read -*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The truth that indexing maps are compared with: an input element is changed,
// the module is evaluated again, and the output elements that have changed
// depend on it. The evaluator knows nothing of maps.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TEST_UNIT_HLOINDEXINGTESTHELPER_H
#define UNRAVEL_TEST_UNIT_HLOINDEXINGTESTHELPER_H

#include "analysis/maps/IndexingMapEquality.h"
#include "analysis/maps/IndexingMapText.h"
#include "frontend/evaluate/HloEvaluator.h"
#include "frontend/indexing/HloIndexing.h"
#include "test/unit/HloTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace unravel {

/// Offsets of an output element and of an input element.
using Dependences = std::set<std::pair<int64_t, int64_t>>;

/// Numbers of any type, in a fixed pseudo-random order: integers from -3 to 12,
/// so that some starts of slices are outside. Without 0 if they are multiplied.
inline HloLiteral pseudoRandom(const HloShape &Shape, uint32_t Seed,
                               bool WithZero = true) {
  HloLiteral L(Shape);
  ElementType Type = Shape.elementType();
  for (int64_t I = 0; I < Shape.elementCount(); ++I) {
    Seed = Seed * 1664525 + 1013904223;
    int64_t Value = int64_t(Seed >> 28) - 3;
    if (Value == 0 && !WithZero)
      Value = 1;
    L.setAtOffset(I, isFloat(Type) || isComplex(Type)
                         ? HloElement::number(Type, double(Value) + 0.375)
                         : HloElement::integer(Type, Value));
  }
  return L;
}

/// Another value of the same type.
inline HloElement changed(const HloElement &Old, unsigned How) {
  if (isFloat(Old.Type) || isComplex(Old.Type))
    return HloElement::number(Old.Type, How % 2 ? Old.Number * -2.0 - 3.0
                                                : Old.Number + 1.75);
  return HloElement::integer(Old.Type,
                             How % 2 ? ~Old.Integer : Old.Integer + 1 + How);
}

inline const HloLiteral &arrayIn(const HloLiteral &Value, size_t Element) {
  return Value.shape().isTuple() ? Value.elements()[Element] : Value;
}

/// What array \p Element of the module's value depends on of array argument \p
/// Parameter, found by changing each of its elements in a few ways.
inline Dependences dependencesOf(const HloModule &Module,
                                 std::vector<HloLiteral> Arguments,
                                 size_t Parameter, size_t Element,
                                 unsigned Changes = 2) {
  Dependences Result;
  HloLiteral Before = llvm::cantFail(evaluateHlo(Module, Arguments));
  const HloLiteral &Old = arrayIn(Before, Element);
  for (int64_t In = 0; In < Arguments[Parameter].shape().elementCount(); ++In) {
    HloElement Original = Arguments[Parameter].atOffset(In);
    for (unsigned How = 0; How < Changes; ++How) {
      Arguments[Parameter].setAtOffset(In, changed(Original, How));
      HloLiteral After = llvm::cantFail(evaluateHlo(Module, Arguments));
      const HloLiteral &New = arrayIn(After, Element);
      for (int64_t Out = 0; Out < Old.shape().elementCount(); ++Out)
        if (Old.bitsAtOffset(Out) != New.bitsAtOffset(Out))
          Result.insert({Out, In});
    }
    Arguments[Parameter].setAtOffset(In, Original);
  }
  return Result;
}

inline int64_t offsetIn(const HloShape &Array, llvm::ArrayRef<int64_t> Index) {
  int64_t Offset = 0;
  std::vector<int64_t> Strides = Array.strides();
  for (size_t D = 0; D < Strides.size(); ++D) {
    EXPECT_GE(Index[D], 0);
    EXPECT_LT(Index[D], Array.dimension(D)) << "outside of the array";
    Offset += Index[D] * Strides[D];
  }
  return Offset;
}

/// Whether the runtime variables of \p M have, at point \p P, the values that
/// they are read to have. The value of a source that is no parameter is not
/// known here, so may be any.
inline bool isAtRuntimeValues(const OperandMap &M, llvm::ArrayRef<int64_t> P,
                              llvm::ArrayRef<HloLiteral> Arguments) {
  size_t First = P.size() - M.Runtimes.size();
  for (size_t I = 0; I < M.Runtimes.size(); ++I) {
    const RuntimeVariable &R = M.Runtimes[I];
    if (R.Source->opcode() != HloOpcode::Parameter || !R.Calls.empty())
      continue;
    const HloLiteral &Source =
        Arguments[R.Source->attributes<HloParameter>().Number];
    int64_t Value =
        Source.atOffset(offsetIn(Source.shape(), *R.ToElement.evaluate(P)))
            .asInt64();
    if (R.Clamp)
      Value = std::max(R.Clamp->lo(), std::min(R.Clamp->hi(), Value));
    if (Value != P[First + I])
      return false;
  }
  return true;
}

/// What the maps say, for an output of shape \p Output and an input \p Input.
inline Dependences dependencesOf(const OperandIndexing &Indexing,
                                 const HloShape &Output, const HloShape &Input,
                                 llvm::ArrayRef<HloLiteral> Arguments) {
  Dependences Result;
  EXPECT_TRUE(Indexing.isKnown()) << Indexing.WhyUnknown;
  for (const OperandMap &M : Indexing.Maps) {
    bool Visited = M.Map.forEachPoint(1 << 22, [&](llvm::ArrayRef<int64_t> P) {
      if (isAtRuntimeValues(M, P, Arguments))
        Result.insert({offsetIn(Output, P.take_front(Output.rank())),
                       offsetIn(Input, *M.Map.evaluate(P))});
      return true;
    });
    EXPECT_TRUE(Visited);
  }
  return Result;
}

inline std::string toText(const OperandIndexing &Indexing) {
  std::string Text;
  for (const OperandMap &M : Indexing.Maps)
    Text += toString(M.Map) + "\n";
  return Text;
}

/// Calls \p F with the name and the text of each module in test/Inputs/hlo, or
/// a folder in it, or another folder.
inline void forEachFusion(
    llvm::function_ref<void(llvm::StringRef Name, llvm::StringRef Text)> F,
    llvm::StringRef InFolder = "") {
  llvm::SmallString<128> Folder(InFolder);
  if (!llvm::sys::path::is_absolute(InFolder)) {
    Folder = UNRAVEL_TEST_INPUTS;
    llvm::sys::path::append(Folder, "hlo", InFolder);
  }
  std::error_code EC;
  std::vector<std::string> Paths;
  for (llvm::sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC))
    if (llvm::StringRef(It->path()).ends_with(".hlo"))
      Paths.push_back(It->path());
  llvm::sort(Paths);
  EXPECT_GE(Paths.size(), 30u);
  for (const std::string &Path : Paths)
    F(llvm::sys::path::stem(Path),
      llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(Path)))
          ->getBuffer());
}

/// Analyses modules that are written in a test.
class HloIndexingFixture : public testing::Test {
protected:
  /// Analyses the root of the entry.
  const HloInstruction &root(const llvm::Twine &Text) {
    Modules.push_back(parseModule(Text.str()));
    if (llvm::Error E = verifyHlo(*Modules.back()))
      ADD_FAILURE() << llvm::toString(std::move(E));
    return Modules.back()->entry().root();
  }

  std::vector<OperandIndexing> outputToInput(const llvm::Twine &Text,
                                             size_t Element = 0) {
    return Analysis.outputToInput(root(Text), Element);
  }
  std::vector<OperandIndexing> outputToParameters(const llvm::Twine &Text,
                                                  size_t Element = 0) {
    return Analysis.outputToParameters(root(Text).parent(), Element);
  }

  /// The maps are those that the texts say, in any order.
  void expectMaps(const OperandIndexing &Indexing,
                  std::vector<std::string> Texts) {
    EXPECT_TRUE(Indexing.isKnown()) << Indexing.WhyUnknown;
    EXPECT_EQ(Indexing.Maps.size(), Texts.size()) << toText(Indexing);
    for (const std::string &Text : Texts) {
      IndexingMap Wanted = llvm::cantFail(parseIndexingMap(Context, Text));
      EXPECT_TRUE(llvm::any_of(Indexing.Maps,
                               [&](const OperandMap &M) {
                                 return compareMaps(M.Map, Wanted).AreEqual ==
                                        Answer::Yes;
                               }))
          << Text << "\nis not among\n"
          << toText(Indexing);
    }
  }

  std::string printed(const llvm::Twine &Text) {
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    printIndexing(OS, root(Text).parent(), Analysis);
    return Result;
  }

  IndexContext Context;
  HloIndexingAnalysis Analysis{Context};
  std::vector<std::unique_ptr<HloModule>> Modules;
};

} // namespace unravel

#endif // UNRAVEL_TEST_UNIT_HLOINDEXINGTESTHELPER_H
