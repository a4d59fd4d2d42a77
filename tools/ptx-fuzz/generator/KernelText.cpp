//===- KernelText.cpp - The text of a kernel as it grows ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace unravel::ptx {

static constexpr char Letters[] = "phrd";

Class classOfWidth(unsigned Width) {
  return Width == 1    ? Class::Predicate
         : Width <= 16 ? Class::Half
         : Width == 32 ? Class::Word
                       : Class::Double;
}

unsigned widthOf(Class C) {
  static constexpr unsigned Widths[] = {1, 16, 32, 64};
  return Widths[unsigned(C)];
}

void KernelText::line(const Twine &Text) {
  Body += ("\t" + Text + ";\n").str();
}

void KernelText::label(StringRef Name) { Body += (Name + ":\n").str(); }

std::string KernelText::freshLabel() {
  return "$L_" + std::to_string(NumLabels++);
}

std::string KernelText::declarations() const {
  static constexpr StringRef Types[] = {".pred", ".b16", ".b32", ".b64"};
  std::string Text;
  for (unsigned C = 0; C != NumClasses; ++C)
    if (Count[C])
      Text += ("\t.reg " + Types[C] + " %" + Twine(Letters[C]) + "<" +
               Twine(Count[C]) + ">;\n")
                  .str();
  return Text;
}

std::string KernelText::fresh(Class C) {
  return std::string("%") + Letters[unsigned(C)] +
         std::to_string(Count[unsigned(C)]++);
}

std::string KernelText::value(Class C, const Twine &Opcode, const Twine &Rest) {
  std::string Name = fresh(C);
  line(Opcode + " " + Name + ", " + Rest);
  addValue(C, Name);
  return Name;
}

void KernelText::addValue(Class C, std::string Name) {
  Values[unsigned(C)].push_back(std::move(Name));
}

void KernelText::addVariable(Class C, std::string Name) {
  Variables[unsigned(C)].push_back(std::move(Name));
}

const std::string &KernelText::variable(Class C) {
  return R.pick(Variables[unsigned(C)]);
}

std::string KernelText::reg(Class C) {
  const std::vector<std::string> &Known = Values[unsigned(C)];
  if (Known.empty() || R.chance(20))
    return variable(C);
  // What came last is what the code before was about.
  if (R.chance(60))
    return Known[Known.size() - 1 - R.below(std::min<size_t>(Known.size(), 6))];
  return R.pick(Known);
}

std::string KernelText::operand(Class C) {
  return C != Class::Predicate && R.chance(22) ? immediate(C) : reg(C);
}

std::string KernelText::immediate(Class C) {
  unsigned Width = widthOf(C);
  int64_t Max = maxIntN(Width), Min = minIntN(Width);
  const int64_t Edges[] = {0,       1,       -1, 2,  -2,      Max, Min,
                           Max - 1, Min + 1, 3,  5,  7,       10,  100,
                           255,     256,     31, 32, 33,      63,  64,
                           15,      16,      -3, -7, Max / 3, 127, -128};
  if (R.chance(75))
    return std::to_string(R.pick(Edges));
  int64_t Bits = SignExtend64(R.next(), Width);
  return std::to_string(Bits >> R.below(Width));
}

std::string KernelText::shiftAmount() {
  static constexpr unsigned Amounts[] = {0,  1,  2,  3,  4,  5,  8,
                                         12, 15, 16, 17, 24, 30, 31,
                                         32, 33, 48, 63, 64, 65, 255};
  if (R.chance(70))
    return std::to_string(R.pick(Amounts));
  return reg(Class::Word);
}

KernelText::Mark KernelText::enter() const {
  Mark M;
  for (unsigned C = 0; C != NumClasses; ++C)
    M[C] = Values[C].size();
  return M;
}

void KernelText::leave(const Mark &M) {
  for (unsigned C = 0; C != NumClasses; ++C)
    Values[C].resize(std::min(M[C], Values[C].size()));
}

void KernelText::removeValues(StringRef Prefix) {
  for (std::vector<std::string> &Known : Values)
    erase_if(Known, [&](StringRef Name) { return Name.starts_with(Prefix); });
}

} // namespace unravel::ptx
