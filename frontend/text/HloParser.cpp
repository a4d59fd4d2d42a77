//===- HloParser.cpp - HLO modules from text ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloParser.h"
#include "frontend/hlo/HloLiteral.h"
#include "frontend/text/HloAliases.h"
#include "frontend/text/HloAttributeParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace unravel {

using Kind = HloLexer::Kind;

namespace {

/// What is written between a computation's name and its body.
struct Signature {
  size_t Offset = 0;
  std::vector<HloShape> Parameters;
  std::optional<HloShape> Result;
};

class ModuleParser {
public:
  ModuleParser(StringRef Text, StringRef BufferName)
      : Lexer(Text, BufferName), BufferName(BufferName) {}

  Expected<std::unique_ptr<HloModule>> parse(StringRef EntryName);
  HloLexer Lexer;
  std::vector<std::string> LayoutWarnings;

private:
  Error parseHeader();
  Error parseTables();
  bool isAtInstruction() const;
  Error parseComputation();
  Error parseSignature(Signature &S);
  Error parseBody(HloComputation &C, StringRef Closer);
  Error parseInstruction(HloComputation &C);
  Error parseOperands(HloInstruction &I,
                      SmallVectorImpl<const HloInstruction *> &Operands);
  Error parseOperandList(const HloInstruction &I,
                         SmallVectorImpl<const HloInstruction *> &Operands);
  Error parseOperand(SmallVectorImpl<const HloInstruction *> &Operands);
  Expected<HloLiteral> parseElided(const HloInstruction &I);
  Error parseLiteralOperand(HloInstruction &I);
  Expected<HloOpcode> parseOpcode();
  Error finish(HloComputation &C, size_t Offset);
  Error checkSignature(const HloComputation &C, const Signature &S);
  Error countCalls(const HloInstruction &I, size_t Offset);
  Error chooseEntry();
  void compareEntryLayout();

  StringRef BufferName;
  std::unique_ptr<HloModule> Module;
  StringMap<const HloComputation *> Computations;
  DenseMap<const HloComputation *, unsigned> CallDepths;
  DenseSet<const HloComputation *> Called;
  const HloComputation *Entry = nullptr;

  // Of the computation that is being parsed:
  StringMap<const HloInstruction *> Instructions;
  const HloInstruction *Root = nullptr;
  unsigned CallDepth = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<HloModule>> ModuleParser::parse(StringRef EntryName) {
  if (Error E = parseHeader())
    return E;
  if (Error E = parseTables())
    return E;
  if (isAtInstruction()) { // nothing but instructions
    HloComputation &C = Module->addComputation("main");
    size_t Begin = Lexer.peek().Offset;
    C.Location = Lexer.location();
    if (Error E = parseBody(C, /*Closer=*/""))
      return E;
    if (Error E = finish(C, Begin))
      return E;
    Entry = &C;
  }
  const std::deque<HloComputation> &Read = Module->computations();
  auto IsNamedLast = [&] {
    return !Read.empty() && Read.back().name() == EntryName;
  };
  while (!Lexer.atEnd() && !IsNamedLast())
    if (Error E = parseComputation())
      return E;
  if (IsNamedLast() && &Read.back() != Entry) {
    Module->Aliases.clear(); // of the module's own entry
    Module->setEntry(Read.back());
    return std::move(Module);
  }
  if (Error E = chooseEntry())
    return E;
  return std::move(Module);
}

Error ModuleParser::parseHeader() {
  std::string Name = "module";
  std::vector<HloTextAttribute> Attributes;
  std::vector<HloAlias> Aliases;
  if (Lexer.consumeIf("HloModule")) {
    Expected<StringRef> Written = Lexer.parseName("the name of the module");
    if (!Written)
      return Written.takeError();
    Name = Written->str();
    static constexpr StringLiteral Known[] = {
        "entry_computation_layout",
        "is_scheduled",
        "buffer_donor",
        "allow_spmd_sharding_propagation_to_output",
        "allow_spmd_sharding_propagation_to_parameters",
        "num_partitions",
        "replica_count"};
    auto ParseOwn = [&](StringRef Attribute) -> Expected<bool> {
      if (Attribute != "input_output_alias")
        return false;
      if (Error E = parseAliases(Lexer, Aliases))
        return E;
      return true;
    };
    HloAttributeParser Parser(Lexer, nullptr);
    if (Error E = Parser.parseText(Attributes, Known, ParseOwn))
      return E;
  }
  Module = std::make_unique<HloModule>(std::move(Name));
  Module->Aliases = std::move(Aliases);
  Module->BufferName = BufferName.str();
  Module->TextAttributes = std::move(Attributes);
  return Error::success();
}

/// `FileNames 1 "a.py" 2 "b.py"`, `StackFrames 1 {...}`: where the module's
/// author wrote what.
Error ModuleParser::parseTables() {
  static constexpr StringLiteral Tables[] = {"FileNames", "FunctionNames",
                                             "FileLocations", "StackFrames"};
  size_t Begin = Lexer.peek().Offset;
  // A symbol behind it: a computation or instruction of this name.
  while (is_contained(Tables, Lexer.peek().Text) &&
         Lexer.peekSecond().TokenKind != Kind::Symbol) {
    Lexer.next();
    while (Lexer.peek().TokenKind == Kind::Number) {
      Lexer.next();
      Expected<StringRef> Value = Lexer.takeValue();
      if (!Value)
        return Value.takeError();
    }
    Module->SourceTables = Lexer.textFrom(Begin).str();
  }
  return Error::success();
}

bool ModuleParser::isAtInstruction() const {
  return Lexer.isAt("ROOT") || (Lexer.peek().TokenKind == Kind::Name &&
                                Lexer.peekSecond().Text == "=");
}

/// The computation marked ENTRY, or else the only one that is not called.
Error ModuleParser::chooseEntry() {
  if (Module->computations().empty())
    return Lexer.unexpected("a computation, as in 'ENTRY main { ... }'");
  if (!Entry) {
    for (const HloComputation &C : Module->computations()) {
      if (Called.contains(&C))
        continue;
      if (Entry)
        return Lexer.error("neither '" + Entry->name() + "' nor '" + C.name() +
                           "' is called by another computation; write ENTRY in "
                           "front of the one to begin with");
      Entry = &C;
    }
  }
  Module->setEntry(*Entry); // one that is last cannot be called
  compareEntryLayout();
  return Error::success();
}

/// `entry_computation_layout={(shape, ...)->shape}` may ask for other layouts
/// than the entry's instructions have.
void ModuleParser::compareEntryLayout() {
  auto Warn = [&](const HloInstruction &I, const HloShape &Layout) {
    if (I.shape() == Layout)
      return;
    LayoutWarnings.push_back((BufferName + ":" + Twine(I.Location.Line) + ":" +
                              Twine(I.Location.Column) + ": warning: '" +
                              I.name() + "' is " + I.shape().str() +
                              ", which counts; entry_computation_layout has " +
                              Layout.str())
                                 .str());
  };
  for (const HloTextAttribute &A : Module->TextAttributes) {
    if (A.Name != "entry_computation_layout")
      continue;
    HloLexer Layouts(A.Value, BufferName);
    if (!Layouts.consumeIf("{"))
      return;
    Expected<HloShape> Parameters = Layouts.parseShape(); // written as a tuple
    Expected<HloShape> Result = Layouts.consumeIf("->")
                                    ? Layouts.parseShape()
                                    : createStringError("not a layout");
    if (Parameters && Result &&
        Parameters->elements().size() == Entry->parameters().size()) {
      for (auto [Parameter, Layout] :
           zip(Entry->parameters(), Parameters->elements()))
        Warn(*Parameter, Layout);
      Warn(Entry->root(), *Result);
    }
    consumeError(Parameters.takeError());
    consumeError(Result.takeError());
  }
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

Error ModuleParser::parseComputation() {
  size_t Begin = Lexer.peek().Offset;
  HloLocation Location = Lexer.location();
  bool IsEntry =
      Lexer.isAt("ENTRY") && Lexer.peekSecond().TokenKind == Kind::Name;
  if (IsEntry)
    Lexer.next();
  size_t NameOffset = Lexer.peek().Offset;
  Expected<StringRef> Name = Lexer.parseName("the name of a computation");
  if (!Name)
    return Name.takeError();
  if (Computations.count(*Name))
    return Lexer.error(NameOffset, "the module has a computation '" + *Name +
                                       "' already; rename one of them");
  if (IsEntry && Entry)
    return Lexer.error(Begin, "'" + Entry->name() +
                                  "' is the ENTRY already; a module has one");
  Signature S;
  S.Offset = Lexer.peek().Offset;
  if (Error E = parseSignature(S))
    return E;
  if (Error E = Lexer.expect(
          "{", ("before the instructions of '" + *Name + "'").str()))
    return E;
  HloComputation &C = Module->addComputation(Name->str());
  C.Location = Location;
  if (Error E = parseBody(C, "}"))
    return E;
  if (Error E = Lexer.expect("}", "behind the instructions"))
    return E;
  if (Error E = finish(C, NameOffset))
    return E;
  if (Error E = checkSignature(C, S))
    return E;
  HloAttributeParser Parser(Lexer, nullptr);
  auto ParseOwn = [](StringRef) -> Expected<bool> { return false; };
  if (Error E =
          Parser.parseText(C.TextAttributes, {"execution_thread"}, ParseOwn))
    return E;
  Computations[*Name] = &C;
  if (IsEntry)
    Entry = &C;
  return Error::success();
}

Error ModuleParser::parseSignature(Signature &S) {
  if (!Lexer.consumeIf("("))
    return Error::success();
  if (!Lexer.isAt(")")) {
    do {
      Expected<StringRef> Name = Lexer.parseName("the name of a parameter");
      if (!Name)
        return Name.takeError();
      if (Error E = Lexer.expect(":", "and the shape of the parameter"))
        return E;
      Expected<HloShape> Shape = Lexer.parseShape();
      if (!Shape)
        return Shape.takeError();
      S.Parameters.push_back(std::move(*Shape));
    } while (Lexer.consumeIf(","));
  }
  if (Error E = Lexer.expect(")", "behind the parameters"))
    return E;
  if (Error E = Lexer.expect("->", "and the shape of the result"))
    return E;
  Expected<HloShape> Shape = Lexer.parseShape();
  if (!Shape)
    return Shape.takeError();
  S.Result = std::move(*Shape);
  return Error::success();
}

Error ModuleParser::parseBody(HloComputation &C, StringRef Closer) {
  Instructions.clear();
  Root = nullptr;
  CallDepth = 0;
  do {
    if (Error E = parseInstruction(C))
      return E;
  } while (!Lexer.atEnd() && !Lexer.isAt(Closer));
  return Error::success();
}

Error ModuleParser::finish(HloComputation &C, size_t Offset) {
  if (Root)
    C.setRoot(*Root);
  CallDepths[&C] = CallDepth;
  const HloInstruction *Culprit;
  if (Error E = C.finish(Culprit)) {
    std::string What = toString(std::move(E));
    return Culprit ? Module->error(*Culprit, What) : Lexer.error(Offset, What);
  }
  return Error::success();
}

/// The header says again what the instructions say.
Error ModuleParser::checkSignature(const HloComputation &C,
                                   const Signature &S) {
  if (!S.Result)
    return Error::success();
  if (S.Parameters.size() != C.parameters().size())
    return Lexer.error(S.Offset, "the header of '" + C.name() + "' has " +
                                     Twine(S.Parameters.size()) +
                                     " parameters, its body " +
                                     Twine(C.parameters().size()));
  for (auto [Written, Parameter] : zip(S.Parameters, C.parameters()))
    if (!Written.isCompatible(Parameter->shape()))
      return Lexer.error(S.Offset,
                         "the header of '" + C.name() + "' says that '" +
                             Parameter->name() + "' is " + Written.str(false) +
                             ", its body " + Parameter->shape().str(false));
  if (!S.Result->isCompatible(C.root().shape()))
    return Lexer.error(S.Offset, "the header of '" + C.name() +
                                     "' says that the result is " +
                                     S.Result->str(false) + ", its root is " +
                                     C.root().shape().str(false));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Error ModuleParser::parseInstruction(HloComputation &C) {
  bool IsRoot =
      Lexer.isAt("ROOT") && Lexer.peekSecond().TokenKind == Kind::Name;
  size_t Begin = Lexer.peek().Offset;
  if (IsRoot)
    Lexer.next();
  if (IsRoot && Root)
    return Lexer.error(Begin, "'" + Root->name() +
                                  "' is the ROOT already; a computation has "
                                  "one");
  HloLocation Location = Lexer.location();
  size_t NameOffset = Lexer.peek().Offset;
  Expected<StringRef> Name = Lexer.parseName("the name of an instruction");
  if (!Name)
    return Name.takeError();
  if (Instructions.count(*Name))
    return Lexer.error(NameOffset, "the computation has an instruction '" +
                                       *Name + "' already; rename one of them");
  if (Error E = Lexer.expect("=", "behind the name of an instruction"))
    return E;
  // XLA accepts some instructions without one, and may print them so.
  if (!Lexer.isAtShape() && opcodeNamed(Lexer.peek().Text))
    return Lexer.error(Lexer.peek().Offset,
                       "the shape of '" + *Name +
                           "' is missing; write it in front of '" +
                           Lexer.peek().Text + "'");
  Expected<HloShape> Shape = Lexer.parseShape();
  if (!Shape)
    return Shape.takeError();
  StringRef Written = Lexer.peek().Text;
  Expected<HloOpcode> Opcode = parseOpcode();
  if (!Opcode)
    return Opcode.takeError();

  // A copy of a tuple passes on the arrays.
  if (*Opcode == HloOpcode::Copy && Shape->isTuple())
    Opcode = HloOpcode::OptimizationBarrier;

  HloInstruction I(Name->str(), *Opcode, std::move(*Shape));
  I.Location = Location;
  I.setAttributes(isLibraryOperation(Written)
                      ? HloCustomCall{Written.str(), /*IsOperation=*/true}
                      : emptyAttributesOf(*Opcode));
  SmallVector<const HloInstruction *, 4> Operands;
  if (Error E = parseOperands(I, Operands))
    return E;
  auto Find = [&](StringRef Callee) -> const HloComputation * {
    return Computations.lookup(Callee);
  };
  if (Error E = HloAttributeParser(Lexer, Find).parse(I))
    return E;
  if (Error E = countCalls(I, NameOffset))
    return E;
  const HloInstruction &Added = C.add(std::move(I), Operands);
  Instructions[*Name] = &Added;
  if (IsRoot)
    Root = &Added;
  return Error::success();
}

Expected<HloOpcode> ModuleParser::parseOpcode() {
  HloLexer::Token T = Lexer.peek();
  if (T.TokenKind != Kind::Name)
    return Lexer.unexpected("an opcode behind the shape");
  std::optional<HloOpcode> Opcode = opcodeNamed(T.Text);
  if (!Opcode && isLibraryOperation(T.Text))
    Opcode = HloOpcode::CustomCall;
  if (!Opcode) {
    StringRef Similar = opcodeSimilarTo(T.Text);
    return Lexer.error(
        "unknown or unsupported opcode '" + T.Text.take_front(40) + "'; " +
        (Similar.empty()
             ? "docs/frontend.md has the table of those that are supported; "
               "--entry=NAME emits a computation above this one"
             : "did you mean '" + Similar + "'?"));
  }
  Lexer.next();
  return *Opcode;
}

/// The parentheses and what is in them.
Error ModuleParser::parseOperands(
    HloInstruction &I, SmallVectorImpl<const HloInstruction *> &Operands) {
  if (Error E = Lexer.expect("(", "and the operands"))
    return E;
  if (I.opcode() == HloOpcode::Parameter) {
    Expected<int64_t> Number = Lexer.parseInteger("the number of a parameter");
    if (!Number)
      return Number.takeError();
    I.setAttributes(HloParameter{*Number});
  } else if (I.opcode() == HloOpcode::Constant) {
    if (Error E = parseLiteralOperand(I))
      return E;
  } else if (Error E = parseOperandList(I, Operands)) {
    return E;
  }
  return Lexer.expect(")", "behind the operands");
}

/// Small numbers, not all the same, in place of elements that a text leaves
/// out.
static HloLiteral madeUpElements(const HloShape &Shape) {
  ElementType Type = Shape.elementType();
  HloLiteral Literal(Shape);
  for (int64_t Offset = 0; Offset < Shape.elementCount(); ++Offset)
    Literal.setAtOffset(Offset,
                        isPred(Type) ? HloElement::pred(Offset % 2 != 0)
                        : isFloat(Type) || isComplex(Type)
                            ? HloElement::number(Type, double(Offset % 3 + 1))
                            : HloElement::integer(Type, Offset % 3));
  return Literal;
}

/// `{...}`, which XLA prints for a large constant.
Expected<HloLiteral> ModuleParser::parseElided(const HloInstruction &I) {
  constexpr StringLiteral Remedy =
      "print the module with all of them (--xla_dump_large_constants, "
      "print_large_constants)";
  if (I.shape().isTuple() || I.shape().byteSize() > MaxUnwrittenBytes)
    return Lexer.error("the elements of this constant were left out; " +
                       Remedy);
  Lexer.warn("{...}", "the elements of '" + I.name() +
                          "' were left out, and made-up ones stand for them "
                          "and for those of other constants: the kernels look "
                          "as they should, and compute something else; " +
                          Remedy);
  while (!Lexer.atEnd() && !Lexer.isAt("}"))
    Lexer.next();
  if (Error E = Lexer.expect("}", "behind elements that were left out"))
    return E;
  return madeUpElements(I.shape());
}

Error ModuleParser::parseLiteralOperand(HloInstruction &I) {
  bool IsElided = Lexer.isAt("{") && Lexer.peekSecond().Text == ".";
  Expected<HloLiteral> Literal =
      IsElided ? parseElided(I) : parseLiteral(Lexer, I.shape());
  if (!Literal)
    return Literal.takeError();
  I.setAttributes(
      HloConstant{std::make_shared<const HloLiteral>(std::move(*Literal))});
  return Error::success();
}

Error ModuleParser::parseOperandList(
    const HloInstruction &I,
    SmallVectorImpl<const HloInstruction *> &Operands) {
  size_t Begin = Lexer.peek().Offset;
  if (!Lexer.isAt(")")) {
    do {
      if (Error E = parseOperand(Operands))
        return E;
    } while (Lexer.consumeIf(","));
  }
  int Wanted = operandCountOf(I.opcode());
  if (Wanted != HloVariadic && size_t(Wanted) != Operands.size())
    return Lexer.error(Begin, nameOf(I.opcode()) + " takes " + Twine(Wanted) +
                                  (Wanted == 1 ? " operand" : " operands") +
                                  ", found " + Twine(Operands.size()));
  return Error::success();
}

Error ModuleParser::parseOperand(
    SmallVectorImpl<const HloInstruction *> &Operands) {
  std::optional<HloShape> Written;
  size_t Begin = Lexer.peek().Offset;
  if (Lexer.isAtShape()) {
    Expected<HloShape> Shape = Lexer.parseShape();
    if (!Shape)
      return Shape.takeError();
    Written = std::move(*Shape);
  }
  size_t NameOffset = Lexer.peek().Offset;
  Expected<StringRef> Name = Lexer.parseName("the name of an operand");
  if (!Name)
    return Name.takeError();
  const HloInstruction *Operand = Instructions.lookup(*Name);
  if (!Operand)
    return Lexer.error(NameOffset, "there is no instruction '" + *Name +
                                       "' above in this computation; write it "
                                       "before its users");
  if (Written && !Written->isCompatible(Operand->shape()))
    return Lexer.error(
        Begin, "'" + *Name + "' has the shape " + Operand->shape().str(false) +
                   " where it is defined, here " + Written->str(false));
  Operands.push_back(Operand);
  return Error::success();
}

Error ModuleParser::countCalls(const HloInstruction &I, size_t Offset) {
  for (const HloComputation *Callee : I.callees()) {
    if (Callee == Entry)
      return Lexer.error(Offset, "'" + I.name() + "' calls the ENTRY '" +
                                     Entry->name() +
                                     "'; nothing may call that one");
    Called.insert(Callee);
    CallDepth = std::max(CallDepth, CallDepths.lookup(Callee) + 1);
  }
  if (CallDepth > MaxHloCallDepth)
    return Lexer.error(Offset, "computations call each other more than " +
                                   Twine(MaxHloCallDepth) + " levels deep");
  return Error::success();
}

Expected<std::unique_ptr<HloModule>>
parseHlo(StringRef Text, StringRef BufferName,
         std::vector<std::string> &Warnings, StringRef EntryName) {
  ModuleParser Parser(Text, BufferName);
  Expected<std::unique_ptr<HloModule>> Module = Parser.parse(EntryName);
  append_range(Warnings, Parser.Lexer.takeWarnings());
  append_range(Warnings, Parser.LayoutWarnings);
  return Module;
}

} // namespace unravel
