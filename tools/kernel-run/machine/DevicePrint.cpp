//===- DevicePrint.cpp - printf and assert of device code -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace unravel;

/// The string at \p Address, each of its bytes checked.
static std::string readString(uint64_t Address, uint32_t Instruction) {
  std::string Text;
  while (true) {
    Machine::get().access(Address, 1, Instruction);
    char C = *reinterpret_cast<const char *>(Address++);
    if (C == 0)
      return Text;
    Text += C;
  }
}

namespace {
/// The arguments of a vprintf: each aligned to its size, one after the other.
class PackedArguments {
public:
  PackedArguments(uint64_t Next, uint32_t Instruction)
      : Next(Next), Instruction(Instruction) {}

  template <typename T> T take() {
    Next = alignTo(Next, sizeof(T));
    Machine::get().access(Next, sizeof(T), Instruction);
    T Value;
    std::memcpy(&Value, reinterpret_cast<const void *>(Next), sizeof(T));
    Next += sizeof(T);
    return Value;
  }

private:
  uint64_t Next;
  uint32_t Instruction;
};
} // namespace

template <typename T>
static std::string formatted(const std::string &Specifier, T Value) {
  char Text[512];
  int Size = std::snprintf(Text, sizeof(Text), Specifier.c_str(), Value);
  return std::string(Text,
                     std::min<size_t>(std::max(Size, 0), sizeof(Text) - 1));
}

uint32_t runtime::print(uint64_t Format, uint64_t Arguments,
                        uint32_t Instruction) {
  std::string Pattern = readString(Format, Instruction), Output;
  PackedArguments Values(Arguments, Instruction);
  uint32_t Count = 0;
  for (size_t I = 0; I < Pattern.size(); ++I) {
    if (Pattern[I] != '%') {
      Output += Pattern[I];
      continue;
    }
    size_t End = Pattern.find_first_of("diouxXcsfFeEgGaAp%", I + 1);
    std::string Specifier = Pattern.substr(I, End - I + 1);
    // A width that is an argument, or more than fits, is printed as it stands.
    if (End == std::string::npos || Specifier.size() > 12 ||
        Specifier.find('*') != std::string::npos) {
      Output += Pattern.substr(I);
      break;
    }
    I = End;
    char Kind = Pattern[End];
    bool IsLong = Specifier.find_first_of("ljzt") != std::string::npos;
    erase_if(Specifier,
             [](char C) { return StringRef("hljztLq").contains(C); });
    if (IsLong && StringRef("dioxXuc").contains(Kind))
      Specifier.insert(Specifier.size() - 1, "ll");
    Count += Kind != '%';
    if (Kind == '%')
      Output += '%';
    else if (Kind == 's')
      Output += formatted(
          Specifier, readString(Values.take<uint64_t>(), Instruction).c_str());
    else if (Kind == 'p')
      Output += formatted(Specifier,
                          reinterpret_cast<void *>(Values.take<uint64_t>()));
    else if (StringRef("fFeEgGaA").contains(Kind))
      Output += formatted(Specifier, Values.take<double>());
    else if (IsLong)
      Output += formatted(Specifier, Values.take<uint64_t>());
    else
      Output += formatted(Specifier, Values.take<uint32_t>());
  }
  // Not standard output: that is for the report.
  errs() << Output;
  return Count;
}

void runtime::failAssertion(uint64_t Condition, uint64_t File, uint32_t Line,
                            uint32_t Instruction) {
  Machine::get().fail(formatv("failed the assertion '{0}' of {1}:{2}",
                              readString(Condition, Instruction),
                              readString(File, Instruction), Line),
                      Instruction);
}
