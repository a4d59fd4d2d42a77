//===- PtxText.cpp - Read PTX text and count its instructions -------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser works on a copy of the text in which comments and the insides of
// string literals are blanked out. Positions in the copy are positions in the
// text, and every brace and semicolon left in the copy is real.
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/PtxText.h"
#include "transforms/prices/PtxPrices.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Classes and counts
//===----------------------------------------------------------------------===//

namespace {

enum class TypeKind { None, Integer, Float, Predicate };

struct PtxType {
  TypeKind Kind = TypeKind::None;
  unsigned Bits = 0;
  bool IsSigned = false;
};

} // namespace

/// Reads a type modifier: "s32", "b64", "u16x2", "bf16x2", "pred". Returns kind
/// None for a modifier that is no type, such as "lo", "v4" or "sync".
static PtxType parseType(StringRef Modifier) {
  if (Modifier == "pred")
    return {TypeKind::Predicate, 1};

  PtxType Type;
  StringRef Rest = Modifier;
  Type.IsSigned = Rest.starts_with("s");
  if (Rest.consume_front("bf") || Rest.consume_front("tf") ||
      Rest.consume_front("f") || Rest.consume_front("e"))
    Type.Kind = TypeKind::Float;
  else if (Rest.consume_front("s") || Rest.consume_front("u") ||
           Rest.consume_front("b"))
    Type.Kind = TypeKind::Integer;
  // What follows decides: a width, and for packed types a lane count. The tail
  // of a small float such as "e4m3x2" needs no reading. "f4e" and "b4e" are
  // modes of prmt.
  if (Type.Kind == TypeKind::None || Rest.consumeInteger(10, Type.Bits) ||
      Rest == "e")
    return {};
  unsigned Lanes = 1;
  if (Rest.consume_front("x") && !Rest.consumeInteger(10, Lanes))
    Type.Bits *= Lanes;
  if (!Rest.empty() && Type.Kind == TypeKind::Integer)
    return {};
  return Type;
}

/// The shape of a load or store with these modifiers: "b32", "v4.b32".
static std::string accessShape(ArrayRef<StringRef> Modifiers) {
  std::string Lanes;
  unsigned Bits = 0;
  for (StringRef Modifier : Modifiers) {
    if (Modifier == "v2" || Modifier == "v4" || Modifier == "v8")
      Lanes = (Modifier + ".").str();
    else if (PtxType Type = parseType(Modifier); Type.Kind != TypeKind::None)
      Bits = Type.Bits;
  }
  return Lanes + "b" + utostr(Bits);
}

static bool isIntegerOperation(StringRef Base) {
  static const StringSet<> Operations = {
      "add",   "addc", "sub",   "subc", "mul",  "mul24", "mad", "madc", "mad24",
      "div",   "rem",  "abs",   "neg",  "min",  "max",   "sad", "dp2a", "dp4a",
      "and",   "or",   "xor",   "not",  "cnot", "lop3",  "shl", "shr",  "shf",
      "bfe",   "bfi",  "bfind", "bmsk", "brev", "clz",   "fns", "popc", "prmt",
      "szext", "setp", "set",   "selp", "slct", "cvt"};
  return Operations.contains(Base);
}

static bool computesOnIntegers(StringRef Base, ArrayRef<PtxType> Types) {
  if (Types.empty() || !isIntegerOperation(Base))
    return false;
  auto IsInteger = [](const PtxType &T) { return T.Kind == TypeKind::Integer; };
  // `set.u32.f32` compares floats and `set.f32.u32` integers: the last type is
  // what is compared. `slct.s32.f32` moves integers: the first is what moves.
  if (Base == "set")
    return IsInteger(Types.back());
  if (Base == "slct")
    return IsInteger(Types.front());
  return all_of(Types, IsInteger);
}

/// What an integer instruction is paid for as.
static PtxClass pricedAs(StringRef Base, ArrayRef<StringRef> Modifiers,
                         bool IsSigned) {
  if (Base == "div" || Base == "rem")
    return IsSigned ? PtxClass::SignedDivision : PtxClass::Division;
  if (Base.starts_with("mul") || Base.starts_with("mad")) {
    if (is_contained(Modifiers, "hi"))
      return IsSigned ? PtxClass::SignedMultiplyHigh : PtxClass::MultiplyHigh;
    return is_contained(Modifiers, "wide") ? PtxClass::MultiplyWide
                                           : PtxClass::Multiply;
  }
  return StringSwitch<PtxClass>(Base)
      .Cases({"min", "max"}, PtxClass::MinMax)
      .Case("abs", PtxClass::Absolute)
      .Case("cvt", PtxClass::Convert)
      .Default(PtxClass::Simple);
}

PtxInstClass unravel::classifyPtxOpcode(StringRef Opcode) {
  SmallVector<StringRef, 8> Modifiers;
  Opcode.split(Modifiers, '.');
  StringRef Base = Modifiers.front();
  Modifiers.erase(Modifiers.begin());

  PtxInstClass Class;
  if (Base == "ld" || Base == "ldu" || Base == "st") {
    // "param", "param::entry", "param::func": how arguments travel.
    bool IsParam = any_of(Modifiers, [](StringRef Modifier) {
      return Modifier.split("::").first == "param";
    });
    if (IsParam)
      return Class;
    Class.Load = Base != "st";
    Class.Store = Base == "st";
    Class.AccessShape = accessShape(Modifiers);
    Class.Cost = priceOf(PtxClass::Access, 32);
    return Class;
  }

  SmallVector<PtxType, 2> Types;
  for (StringRef Modifier : Modifiers)
    if (PtxType Type = parseType(Modifier); Type.Kind != TypeKind::None)
      Types.push_back(Type);
  if (!computesOnIntegers(Base, Types))
    return Class;

  bool IsHighHalf =
      (Base == "mul" || Base == "mad") && is_contained(Modifiers, "hi");
  Class.Integer = true;
  Class.Division = Base == "div" || Base == "rem" || IsHighHalf;
  Class.Integer64 =
      any_of(Types, [](const PtxType &T) { return T.Bits == 64; });
  Class.Cost = priceOf(pricedAs(Base, Modifiers, Types.back().IsSigned),
                       Class.Integer64 ? 64 : 32);
  return Class;
}

static unsigned sumOf(const AccessCounts &Accesses) {
  unsigned Sum = 0;
  for (const auto &[Shape, Count] : Accesses)
    Sum += Count;
  return Sum;
}

unsigned PtxCounts::numLoads() const { return sumOf(Loads); }
unsigned PtxCounts::numStores() const { return sumOf(Stores); }

void PtxCounts::add(const PtxInstClass &Class, const LoopPlace &Place) {
  unsigned InstIndexCost = Class.Integer ? Class.Cost : 0;
  ++Instructions;
  Integer += Class.Integer;
  Division += Class.Division;
  Integer64 += Class.Integer64;
  Cost += Class.Cost;
  IndexCost += InstIndexCost;
  LoopCost += Class.Cost * loopWeight(Place.Depth);
  LoopIndexCost += InstIndexCost * loopWeight(Place.Depth);
  if (Place.IsInnermost) {
    InnermostCost += Class.Cost;
    InnermostIndexCost += InstIndexCost;
  }
  LoopDepth = std::max(LoopDepth, Place.Depth);
  if (Class.Load)
    ++Loads[Class.AccessShape];
  if (Class.Store)
    ++Stores[Class.AccessShape];
}

static PtxCounts countBody(const PtxBody &Body) {
  PtxCounts Counts;
  LoopNest Nest = Body.findLoops();
  Counts.Loops = Nest.NumLoops;
  for (const auto &[Inst, Place] : zip_equal(Body.insts(), Nest.Places))
    Counts.add(classifyPtxOpcode(Inst.Opcode), Place);
  return Counts;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Returns a copy of the same length in which comments and the insides of
/// string literals are spaces. Newlines stay.
static std::string blankCommentsAndStrings(StringRef Text) {
  std::string Copy = Text.str();
  auto Blank = [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      if (Copy[I] != '\n')
        Copy[I] = ' ';
  };
  for (size_t I = 0; I < Text.size();) {
    StringRef Rest = Text.substr(I);
    size_t Length = 1;
    if (Rest.starts_with("//")) {
      Length = std::min(Rest.find('\n'), Rest.size());
      Blank(I, I + Length);
    } else if (Rest.starts_with("/*")) {
      size_t Close = Rest.find("*/", 2);
      Length = Close == StringRef::npos ? Rest.size() : Close + 2;
      Blank(I, I + Length);
    } else if (Rest.starts_with("\"")) {
      while (Length < Rest.size() && Rest[Length] != '"')
        Length += Rest[Length] == '\\' ? 2 : 1;
      Length = std::min(Length + 1, Rest.size());
      Blank(I + 1, I + Length - 1);
    }
    I += Length;
  }
  return Copy;
}

namespace {

/// Recursive descent over the blanked text; Pos only ever moves forward.
class Parser {
public:
  Parser(StringRef Text)
      : Text(Text), Blanked(blankCommentsAndStrings(Text)), S(Blanked) {}

  Expected<PtxModule> parseModule();

private:
  Error parseBody(PtxFunction &Function);
  StringRef parseLabel();
  StringRef parseStatement();
  void addStatement(StringRef Statement, StringRef Label, PtxBody &Body);

  /// Reads the header of a function from its .entry or .func on.
  StringRef parseFunctionName();
  std::optional<unsigned> parseBlockSize();

  void skipSpace() {
    Pos = std::min(S.find_first_not_of(Space, Pos), S.size());
  }
  void skipLine() { Pos = std::min(S.find('\n', Pos), S.size()); }
  void skipBalanced(char Open, char Close);
  StringRef peekWord() const {
    return S.substr(Pos).take_until([](char C) {
      return isSpace(C) || StringRef("(){}[];,=").contains(C);
    });
  }
  bool atEnd() const { return Pos >= S.size(); }
  bool consume(char C) {
    if (atEnd() || S[Pos] != C)
      return false;
    ++Pos;
    return true;
  }
  Error errorAt(size_t Where, const Twine &What) const {
    return createStringError(
        "line " + Twine(S.take_front(Where).count('\n') + 1) + ": " + What);
  }

  static constexpr const char *Space = " \t\r\n\f\v";
  StringRef Text;
  std::string Blanked;
  StringRef S;
  size_t Pos = 0;
};

} // namespace

/// Directives that end with their line and not with a semicolon.
static bool endsWithLine(StringRef Directive) {
  return is_contained({".version", ".target", ".address_size", ".file", ".loc"},
                      Directive);
}

void Parser::skipBalanced(char Open, char Close) {
  unsigned Depth = 0;
  while (!atEnd()) {
    char C = S[Pos++];
    Depth += C == Open;
    Depth -= C == Close && Depth > 0;
    if (Depth == 0)
      return;
  }
}

StringRef Parser::parseFunctionName() {
  Pos += peekWord().size(); // .entry or .func
  while (true) {
    skipSpace();
    if (atEnd())
      return StringRef();
    if (S[Pos] == '(') { // Return values, or the arguments of an attribute.
      skipBalanced('(', ')');
      continue;
    }
    StringRef Word = peekWord();
    Pos += Word.size();
    if (!Word.starts_with("."))
      return Word;
  }
}

/// Reads ".maxntid 32, 4, 1" or ".reqntid 128". Nothing if it says no number.
std::optional<unsigned> Parser::parseBlockSize() {
  Pos += peekWord().size();
  std::optional<unsigned> Threads;
  do {
    skipSpace();
    StringRef Word = peekWord();
    unsigned Size;
    if (Word.getAsInteger(0, Size))
      break;
    Pos += Word.size();
    Threads = SaturatingMultiply(Threads.value_or(1), Size);
    skipSpace();
  } while (consume(','));
  return Threads;
}

Expected<PtxModule> Parser::parseModule() {
  PtxModule Module;
  size_t Start = 0;       // Of the statement that is being read.
  bool AtStart = true;    // Nothing of it has been read yet.
  StringRef FunctionName; // If the statement is a function.
  bool IsKernel = false;
  std::optional<unsigned> BlockThreads;
  auto StartStatement = [&] {
    AtStart = true;
    FunctionName = StringRef();
    BlockThreads.reset();
  };

  for (skipSpace(); !atEnd(); skipSpace()) {
    if (AtStart)
      Start = Pos;
    AtStart = false;
    StringRef Word = peekWord();

    if (Start == Pos && endsWithLine(Word)) {
      if (Word == ".target") {
        Pos += Word.size();
        skipSpace();
        Module.Target = peekWord().str();
      }
      skipLine();
      StartStatement();
    } else if (Word == ".entry" || Word == ".func") {
      IsKernel = Word == ".entry";
      FunctionName = parseFunctionName();
    } else if (Word == ".maxntid" || Word == ".reqntid") {
      BlockThreads = parseBlockSize();
    } else if (consume(';')) {
      StartStatement();
    } else if (S[Pos] == '(') {
      skipBalanced('(', ')');
    } else if (S[Pos] == '{' && !FunctionName.empty()) {
      PtxFunction Function;
      Function.Name = FunctionName.str();
      Function.IsKernel = IsKernel;
      Function.BlockThreads = BlockThreads;
      if (Error E = parseBody(Function))
        return E;
      Function.Text = Text.slice(Start, Pos).str();
      Module.Functions.push_back(std::move(Function));
      StartStatement();
    } else if (S[Pos] == '{') { // An initialiser or a debug section.
      bool IsSection = S.substr(Start).starts_with(".section");
      skipBalanced('{', '}');
      if (IsSection)
        StartStatement();
    } else {
      Pos += std::max<size_t>(Word.size(), 1);
    }
  }
  if (Module.Target.empty())
    return errorAt(0, "not PTX: there is no .target directive");
  return Module;
}

/// Reads from the opening brace of a function to behind its closing one.
Error Parser::parseBody(PtxFunction &Function) {
  size_t Open = Pos;
  unsigned Depth = 0;
  PtxBody Body;
  StringRef Label; // Just in front of what is read.
  while (true) {
    skipSpace();
    if (atEnd())
      return errorAt(Open, "the body of '" + Function.Name +
                               "' has no closing brace: the file is cut off");
    if (consume('{')) { // A block: of the function, a call, inline assembly.
      ++Depth;
      Body.openScope();
    } else if (consume('}')) {
      Body.closeScope();
      if (--Depth == 0)
        break;
    } else if (consume(';')) {
      continue;
    } else if (endsWithLine(peekWord())) {
      skipLine();
    } else if (StringRef Name = parseLabel(); !Name.empty()) {
      Body.addLabel(Name);
      Label = Name;
    } else {
      addStatement(parseStatement(), Label, Body);
      Label = StringRef();
    }
  }
  Function.Counts = countBody(Body);
  return Error::success();
}

/// Reads "name:". Returns nothing, and reads nothing, if there is none.
StringRef Parser::parseLabel() {
  size_t End = S.find_if_not(
      [](char C) { return isAlnum(C) || StringRef("_$%").contains(C); }, Pos);
  StringRef Name = S.slice(Pos, End);
  size_t Colon = S.find_first_not_of(Space, End);
  if (Colon == StringRef::npos || S[Colon] != ':' ||
      S.substr(Colon).starts_with("::")) // Part of an opcode.
    return StringRef();
  Pos = Colon + 1;
  return Name;
}

/// A statement ends at its semicolon; braces inside it are vector operands.
StringRef Parser::parseStatement() {
  size_t Begin = Pos;
  while (!atEnd() && S[Pos] != ';' && S[Pos] != '}')
    if (S[Pos] == '{')
      skipBalanced('{', '}');
    else
      ++Pos;
  return S.slice(Begin, Pos);
}

void Parser::addStatement(StringRef Statement, StringRef Label, PtxBody &Body) {
  PtxInst Inst;
  if (Statement.consume_front("@")) { // The predicate: @%p1 or @!%p1.
    Inst.IsPredicated = true;
    Statement = Statement.ltrim(" \t\n!")
                    .drop_until([](char C) { return isSpace(C); })
                    .ltrim();
  }
  if (Statement.consume_front(".branchtargets"))
    return Body.addBranchTargets(Label, Statement);
  if (Statement.empty() || Statement.starts_with(".")) // A directive.
    return;
  Inst.Opcode = Statement.take_until(
      [](char C) { return isSpace(C) || C == '{' || C == '['; });
  Inst.Operands = Statement.drop_front(Inst.Opcode.size());
  Body.addInst(Inst);
}

Expected<PtxModule> unravel::parsePtx(StringRef Text) {
  return Parser(Text).parseModule();
}

const PtxFunction *PtxModule::find(StringRef Name) const {
  auto It =
      find_if(Functions, [&](const PtxFunction &F) { return F.Name == Name; });
  return It == Functions.end() ? nullptr : &*It;
}

bool PtxModule::hasKernel() const {
  return any_of(Functions, [](const PtxFunction &F) { return F.IsKernel; });
}

//===----------------------------------------------------------------------===//
// ptxas -v
//===----------------------------------------------------------------------===//

/// Returns the number just before Unit: 24 in "Used 24 registers" for
/// " registers". Returns nothing if the line does not have the unit.
static std::optional<unsigned> numberBefore(StringRef Line, StringRef Unit) {
  size_t End = Line.find(Unit);
  if (End == StringRef::npos)
    return std::nullopt;
  StringRef Digits = Line.take_front(End);
  Digits = Digits.drop_front(Digits.find_last_not_of("0123456789") + 1);
  unsigned Number;
  if (Digits.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::map<std::string, PtxasUsage> unravel::parsePtxasLog(StringRef Log) {
  std::map<std::string, PtxasUsage> Usage;
  // Registers are told of the entry that is being compiled, spills of whatever
  // "Function properties" named last.
  std::string Entry, Function;
  while (!Log.empty()) {
    StringRef Line;
    std::tie(Line, Log) = Log.split('\n');
    if (Line.contains("Compiling entry function"))
      Entry = Line.split('\'').second.split('\'').first.str();
    else if (StringRef Rest = Line.split("Function properties for ").second;
             !Rest.empty())
      Function = Rest.trim().str();
    else if (auto Stores = numberBefore(Line, " bytes spill stores")) {
      Usage[Function].SpillStoreBytes = *Stores;
      Usage[Function].SpillLoadBytes =
          numberBefore(Line, " bytes spill loads").value_or(0);
    } else if (auto Registers = numberBefore(Line, " registers")) {
      Usage[Entry].Registers = Registers;
      Usage[Entry].SharedBytes = numberBefore(Line, " bytes smem").value_or(0);
    }
  }
  return Usage;
}
