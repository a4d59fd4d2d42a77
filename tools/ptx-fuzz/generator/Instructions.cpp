//===- Instructions.cpp - Random single instructions ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-fuzz/generator/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel::ptx {

namespace {
/// Operands by letters, the result first: h, r, d are registers of 16, 32 and
/// 64 bits or numbers, w is a register of 32 bits, p a predicate, i a shift
/// amount, k a byte as number.
struct Template {
  StringLiteral Opcode, Operands;
};
} // namespace

static Class classOfLetter(char Letter) {
  return Letter == 'p'   ? Class::Predicate
         : Letter == 'h' ? Class::Half
         : Letter == 'd' ? Class::Double
                         : Class::Word;
}

static std::string operandOf(KernelText &K, char Letter) {
  if (Letter == 'i')
    return K.shiftAmount();
  if (Letter == 'w')
    return K.reg(Class::Word);
  if (Letter == 'k')
    return std::to_string(K.R.below(256));
  return K.operand(classOfLetter(Letter));
}

static std::string operandsOf(KernelText &K, StringRef Letters) {
  SmallVector<std::string, 4> Texts;
  for (char Letter : Letters)
    Texts.push_back(operandOf(K, Letter));
  // ptxas folds what has constants only; the code in between is for registers.
  if (!Letters.empty() && !StringRef(Texts[0]).starts_with("%") &&
      K.R.chance(80))
    Texts[0] = K.reg(classOfLetter(Letters[0]));
  return join(Texts, ", ");
}

static void addFrom(KernelText &K, ArrayRef<Template> Table) {
  const Template &T = Table[K.R.below(Table.size())];
  std::string Operands = operandsOf(K, T.Operands.drop_front());
  K.value(classOfLetter(T.Operands[0]), T.Opcode, Operands);
}

void addArithmetic(KernelText &K) {
  static constexpr Template Table[] = {
      {"add.s16", "hhh"},          {"add.u16", "hhh"},
      {"sub.s16", "hhh"},          {"mul.lo.s16", "hhh"},
      {"mul.lo.u16", "hhh"},       {"mul.hi.s16", "hhh"},
      {"mul.hi.u16", "hhh"},       {"mad.lo.s16", "hhhh"},
      {"mad.hi.u16", "hhhh"},      {"mad.hi.s16", "hhhh"},
      {"min.s16", "hhh"},          {"max.u16", "hhh"},
      {"neg.s16", "hh"},           {"abs.s16", "hh"},
      {"mul.wide.s16", "rhh"},     {"mul.wide.u16", "rhh"},
      {"mad.wide.s16", "rhhr"},    {"mad.wide.u16", "rhhr"},
      {"sad.s16", "hhhh"},         {"sad.u16", "hhhh"},
      {"add.s32", "rrr"},          {"add.u32", "rrr"},
      {"sub.s32", "rrr"},          {"sub.u32", "rrr"},
      {"add.sat.s32", "rrr"},      {"sub.sat.s32", "rrr"},
      {"mul.lo.s32", "rrr"},       {"mul.lo.u32", "rrr"},
      {"mul.hi.s32", "rrr"},       {"mul.hi.u32", "rrr"},
      {"mad.lo.s32", "rrrr"},      {"mad.lo.u32", "rrrr"},
      {"mad.hi.s32", "rrrr"},      {"mad.hi.u32", "rrrr"},
      {"mad.hi.sat.s32", "rrrr"},  {"mul.wide.s32", "drr"},
      {"mul.wide.u32", "drr"},     {"mad.wide.s32", "drrd"},
      {"mad.wide.u32", "drrd"},    {"mul24.lo.s32", "rrr"},
      {"mul24.lo.u32", "rrr"},     {"mul24.hi.s32", "rrr"},
      {"mul24.hi.u32", "rrr"},     {"mad24.lo.s32", "rrrr"},
      {"mad24.lo.u32", "rrrr"},    {"mad24.hi.s32", "rrrr"},
      {"mad24.hi.u32", "rrrr"},    {"mad24.hi.sat.s32", "rrrr"},
      {"min.s32", "rrr"},          {"min.u32", "rrr"},
      {"max.s32", "rrr"},          {"max.u32", "rrr"},
      {"min.relu.s32", "rrr"},     {"max.relu.s32", "rrr"},
      {"neg.s32", "rr"},           {"abs.s32", "rr"},
      {"sad.s32", "rrrr"},         {"sad.u32", "rrrr"},
      {"add.u16x2", "rww"},        {"add.s16x2", "rww"},
      {"min.s16x2", "rww"},        {"max.u16x2", "rww"},
      {"min.u16x2", "rww"},        {"max.s16x2", "rww"},
      {"dp4a.s32.s32", "rrrr"},    {"dp4a.u32.u32", "rrrr"},
      {"dp4a.s32.u32", "rrrr"},    {"dp4a.u32.s32", "rrrr"},
      {"dp2a.lo.s32.s32", "rrrr"}, {"dp2a.hi.u32.u32", "rrrr"},
      {"dp2a.lo.u32.s32", "rrrr"}, {"dp2a.hi.s32.u32", "rrrr"},
      {"add.s64", "ddd"},          {"add.u64", "ddd"},
      {"sub.s64", "ddd"},          {"mul.lo.s64", "ddd"},
      {"mul.lo.u64", "ddd"},       {"mul.hi.s64", "ddd"},
      {"mul.hi.u64", "ddd"},       {"mad.lo.s64", "dddd"},
      {"mad.hi.s64", "dddd"},      {"mad.hi.u64", "dddd"},
      {"min.s64", "ddd"},          {"max.u64", "ddd"},
      {"max.s64", "ddd"},          {"min.u64", "ddd"},
      {"neg.s64", "dd"},           {"abs.s64", "dd"},
      {"sad.s64", "dddd"},         {"sad.u64", "dddd"},
      {"selp.b32", "rrrp"},        {"selp.b64", "dddp"},
      {"selp.b16", "hhhp"},        {"slct.s32.s32", "rrrr"},
      {"slct.u64.s32", "dddr"},    {"mov.b32", "rr"},
      {"mov.b64", "dd"},           {"mov.u32", "rr"},
  };
  addFrom(K, Table);
}

void addBits(KernelText &K) {
  static constexpr Template Table[] = {
      {"and.b16", "hhh"},
      {"or.b16", "hhh"},
      {"xor.b16", "hhh"},
      {"not.b16", "hh"},
      {"cnot.b16", "hh"},
      {"shl.b16", "hhi"},
      {"shr.u16", "hhi"},
      {"shr.s16", "hhi"},
      {"and.b32", "rrr"},
      {"or.b32", "rrr"},
      {"xor.b32", "rrr"},
      {"not.b32", "rr"},
      {"cnot.b32", "rr"},
      {"shl.b32", "rri"},
      {"shr.u32", "rri"},
      {"shr.s32", "rri"},
      {"shr.b32", "rri"},
      {"and.b64", "ddd"},
      {"or.b64", "ddd"},
      {"xor.b64", "ddd"},
      {"not.b64", "dd"},
      {"cnot.b64", "dd"},
      {"shl.b64", "ddi"},
      {"shr.u64", "ddi"},
      {"shr.s64", "ddi"},
      {"shf.l.wrap.b32", "rrri"},
      {"shf.l.clamp.b32", "rrri"},
      {"shf.r.wrap.b32", "rrri"},
      {"shf.r.clamp.b32", "rrri"},
      {"bfe.u32", "rrii"},
      {"bfe.s32", "rrii"},
      {"bfe.u64", "ddii"},
      {"bfe.s64", "ddii"},
      {"bfi.b32", "rrrii"},
      {"bfi.b64", "dddii"},
      {"bfind.u32", "rr"},
      {"bfind.s32", "rr"},
      {"bfind.u64", "rd"},
      {"bfind.s64", "rd"},
      {"bfind.shiftamt.u32", "rr"},
      {"bfind.shiftamt.s64", "rd"},
      {"brev.b32", "rr"},
      {"brev.b64", "dd"},
      {"popc.b32", "rr"},
      {"popc.b64", "rd"},
      {"clz.b32", "rr"},
      {"clz.b64", "rd"},
      {"prmt.b32", "rrrr"},
      {"prmt.b32.f4e", "rrrr"},
      {"prmt.b32.b4e", "rrrr"},
      {"prmt.b32.rc8", "rrrr"},
      {"prmt.b32.ecl", "rrrr"},
      {"prmt.b32.ecr", "rrrr"},
      {"prmt.b32.rc16", "rrrr"},
      {"lop3.b32", "rrrrk"},
      {"szext.wrap.s32", "rri"},
      {"szext.clamp.s32", "rri"},
      {"szext.clamp.u32", "rri"},
      {"szext.wrap.u32", "rri"},
      {"bmsk.clamp.b32", "rii"},
      {"bmsk.wrap.b32", "rii"},
      {"and.pred", "ppp"},
      {"or.pred", "ppp"},
      {"xor.pred", "ppp"},
      {"not.pred", "pp"},
  };
  unsigned Which = K.R.below(20);
  if (Which == 0) { // packs and unpacks
    std::string Low = K.reg(Class::Word), High = K.reg(Class::Word);
    std::string Both =
        K.value(Class::Double, "mov.b64", "{" + Low + ", " + High + "}");
    std::string A = K.fresh(Class::Word);
    bool DropsLow = K.R.chance(50);
    K.line("mov.b64 {" + (DropsLow ? "_, " + A : A + ", _") + "}, " +
           K.reg(Class::Double));
    K.addValue(Class::Word, A);
  } else if (Which == 1) {
    std::string A = K.fresh(Class::Half), B = K.fresh(Class::Half);
    K.line("mov.b32 {" + A + ", " + B + "}, " + K.reg(Class::Word));
    K.value(Class::Word, "mov.b32", "{" + B + ", " + A + "}");
    K.addValue(Class::Half, A);
    K.addValue(Class::Half, B);
  } else if (Which == 4) { // two halves of words, and what is next to that
    static constexpr StringLiteral Selectors[] = {
        "0x5410", "0x7632", "0x5432", "0x7610", "0x1054", "0x3276",
        "0x3232", "0x5140", "0x6521", "0xd410", "0x54ba", "0x95410"};
    std::string A = K.fresh(Class::Half), B = K.fresh(Class::Half);
    std::string Both =
        K.value(Class::Word, "prmt.b32",
                K.reg(Class::Word) + ", " + K.reg(Class::Word) + ", " +
                    Selectors[K.R.below(std::size(Selectors))].str());
    if (K.R.chance(50))
      Both = K.value(Class::Word, K.R.chance(50) ? "add.s16x2" : "min.u16x2",
                     Both + ", " + K.reg(Class::Word));
    K.line("mov.b32 {" + A + ", " + B + "}, " + Both);
    K.addValue(Class::Half, A);
    K.addValue(Class::Half, B);
  } else if (Which == 2) {
    std::string D = K.fresh(Class::Word), P = K.fresh(Class::Predicate);
    std::string Operands = operandsOf(K, "rrrk");
    K.line(Twine("lop3.") + (K.R.chance(50) ? "or" : "and") + ".b32 " + D +
           "|" + P + ", " + Operands + ", " + K.reg(Class::Predicate));
    K.addValue(Class::Word, D);
    K.addValue(Class::Predicate, P);
  } else if (Which == 3) {
    std::string Mask = K.reg(Class::Word);
    std::string Base = std::to_string(K.R.below(32));
    K.value(Class::Word, "fns.b32",
            Mask + ", " + Base + ", " + std::to_string(K.R.between(-9, 9)));
  } else {
    addFrom(K, Table);
  }
}

void addComparison(KernelText &K) {
  static constexpr StringLiteral Types[] = {"u16", "s16", "b16", "u32", "s32",
                                            "b32", "u64", "s64", "b64"};
  static constexpr StringLiteral Names[] = {"eq", "ne", "lt", "le", "gt",
                                            "ge", "lo", "ls", "hi", "hs"};
  StringRef T = K.R.pick(Types);
  unsigned NumNames = T[0] == 'b' ? 2 : T[0] == 's' ? 6 : 10;
  std::string Name = Names[K.R.below(NumNames)].str();
  unsigned Width = 0;
  T.drop_front().getAsInteger(10, Width);
  Class C = classOfWidth(Width);
  std::string Operands = K.reg(C) + ", " + K.operand(C);
  static constexpr StringLiteral Combines[] = {".and", ".or", ".xor"};
  std::string Combine, Third;
  if (K.R.chance(30)) {
    Combine = K.R.pick(Combines).str();
    bool IsNot = K.R.chance(30);
    Third = (IsNot ? ", !" : ", ") + K.reg(Class::Predicate);
  }
  if (K.R.chance(15)) {
    K.value(Class::Word, "set." + Name + Combine + ".u32." + T,
            Operands + Third);
    return;
  }
  std::string P = K.fresh(Class::Predicate), D = P;
  if (K.R.chance(25)) {
    std::string Q = K.fresh(Class::Predicate);
    D += "|" + Q;
    K.addValue(Class::Predicate, Q);
  }
  // Behind the operands: they cannot be what is written here.
  K.line("setp." + Name + Combine + "." + T + " " + D + ", " + Operands +
         Third);
  K.addValue(Class::Predicate, P);
}

void addConversion(KernelText &K) {
  static constexpr unsigned Widths[] = {8, 16, 32, 64};
  unsigned To = K.R.pick(Widths), From = K.R.pick(Widths);
  Class D = classOfWidth(To), S = classOfWidth(From);
  // Registers may be wider than the types.
  if (K.R.chance(25))
    D = Class(std::min(unsigned(D) + 1, 3u));
  if (K.R.chance(25))
    S = Class(std::min(unsigned(S) + 1, 3u));
  const char *ToSign = K.R.chance(50) ? "s" : "u";
  const char *FromSign = K.R.chance(50) ? "s" : "u";
  // Where nothing can saturate, ptxas refuses it.
  bool CanSaturate = *ToSign == *FromSign ? From > To
                     : *ToSign == 'u'     ? true
                                          : From >= To;
  const char *Sat = CanSaturate && K.R.chance(40) ? ".sat" : "";
  K.value(D,
          Twine("cvt") + Sat + "." + ToSign + Twine(To) + "." + FromSign +
              Twine(From),
          K.reg(S));
}

void addCarryChain(KernelText &K) {
  bool IsDouble = K.R.chance(30), IsMad = K.R.chance(30);
  Class C = IsDouble ? Class::Double : Class::Word;
  std::string T = IsDouble ? ".u64" : K.R.chance(50) ? ".u32" : ".s32";
  unsigned Length = K.R.between(2, 4);
  bool IsSub = !IsMad && K.R.chance(50);
  SmallVector<std::string, 4> New;
  for (unsigned I = 0; I != Length; ++I) {
    bool IsFirst = I == 0, IsLast = I + 1 == Length;
    std::string Opcode = IsMad ? "mad" : IsSub ? "sub" : "add";
    if (!IsFirst)
      Opcode += "c";
    if (IsMad)
      Opcode += K.R.chance(50) ? ".lo" : ".hi";
    if (!IsLast)
      Opcode += ".cc";
    // Other code may stand in between.
    if (!IsFirst && K.R.chance(15))
      K.value(Class::Word, "xor.b32",
              K.reg(Class::Word) + ", " + K.operand(Class::Word));
    std::string A = K.reg(C), B = K.operand(C), Third;
    if (IsMad)
      Third = ", " + K.reg(C);
    New.push_back(K.fresh(C));
    K.line(Opcode + T + " " + New.back() + ", " + A + ", " + B + Third);
  }
  // Of some only the carry counts.
  for (std::string &Name : New)
    if (K.R.chance(80))
      K.addValue(C, std::move(Name));
}

void addQuotient(KernelText &K) {
  static constexpr unsigned Widths[] = {16, 32, 32, 32, 64};
  unsigned Width = K.R.pick(Widths);
  Class C = classOfWidth(Width);
  std::string Suffix = (K.R.chance(50) ? "s" : "u") + std::to_string(Width);
  std::string Divisor;
  if (K.R.chance(40)) {
    do
      Divisor = K.immediate(C);
    while (Divisor == "0");
  } else {
    Divisor = K.reg(C);
    if (K.R.chance(96))
      Divisor = K.value(C, "or.b" + Twine(Width), Divisor + ", 1");
  }
  std::string Dividend = K.reg(C);
  bool HasBoth = K.R.chance(30);
  if (HasBoth || K.R.chance(50))
    K.value(C, "div." + Suffix, Dividend + ", " + Divisor);
  else
    K.value(C, "rem." + Suffix, Dividend + ", " + Divisor);
  if (HasBoth)
    K.value(C, "rem." + Suffix, Dividend + ", " + Divisor);
}

void addFloats(KernelText &K) {
  std::string A =
      K.value(Class::Word, K.R.chance(50) ? "cvt.rn.f32.s32" : "cvt.rz.f32.u32",
              K.reg(Class::Word));
  std::string B = K.value(Class::Word, "cvt.rn.f32.s16", K.reg(Class::Half));
  std::string C = K.value(
      Class::Word, K.R.chance(50) ? "add.rn.f32" : "mul.rn.f32", A + ", " + B);
  std::string P = K.fresh(Class::Predicate);
  K.line("setp.lt.f32 " + P + ", " + B + ", " + C);
  K.addValue(Class::Predicate, P);
  K.value(Class::Word, K.R.chance(50) ? "cvt.rzi.s32.f32" : "cvt.rni.u32.f32",
          C);
}

void addMasks(KernelText &K) {
  static constexpr int32_t Masks[] = {0x000f000f, 0x64006400, -65536, 65535,
                                      0x00ff00ff, 0x00ffffff, 255,    -256,
                                      1,          0x55555555};
  static constexpr StringLiteral Operations[] = {"and.b32", "or.b32",
                                                 "xor.b32"};
  const std::string Last = ", " + std::to_string(K.R.pick(Masks));
  std::vector<std::string> Words = {K.reg(Class::Word)};
  std::string Sum = Words.front();
  for (unsigned Pairs = 2 + K.R.below(4); Pairs != 0; --Pairs) {
    std::string Word = K.R.pick(Words);
    Word = K.value(Class::Word, K.R.pick(Operations),
                   Word + ", " + std::to_string(K.R.pick(Masks)));
    Word = K.value(Class::Word, "xor.b32", Word + Last);
    Words.push_back(Word);
    // Each has a use beside the pairs that begin at it.
    Sum = K.value(Class::Word, "mad.lo.s32", Word + ", 3, " + Sum);
  }
  const std::string &Kept = K.variable(Class::Word);
  K.line("add.s32 " + Kept + ", " + Kept + ", " + Sum);
}

void addPredicated(KernelText &K) {
  static constexpr Template Table[] = {
      {"add.s32", "rrr"}, {"sub.s32", "rrr"}, {"mul.lo.s32", "rrr"},
      {"mov.u32", "rr"},  {"xor.b32", "rrr"}, {"mad.lo.s32", "rrrr"},
      {"shl.b32", "rri"}, {"add.s64", "ddd"}, {"mul.wide.s32", "drr"},
      {"mov.u64", "dd"},  {"add.s16", "hhh"}, {"cvt.s64.s32", "dv"},
      {"max.s32", "rrr"},
  };
  const Template &T = K.R.pick(Table);
  Class C = classOfLetter(T.Operands[0]);
  std::string P = K.reg(Class::Predicate);
  std::string Operands = T.Operands[1] == 'v'
                             ? K.reg(Class::Word)
                             : operandsOf(K, T.Operands.drop_front());
  K.line((K.R.chance(50) ? "@" : "@!") + P + " " + T.Opcode + " " +
         K.variable(C) + ", " + Operands);
}

} // namespace unravel::ptx
