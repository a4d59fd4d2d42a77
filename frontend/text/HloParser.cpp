//===- HloParser.cpp - HLO modules from text ------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloParser.h"
#include "frontend/text/HloAliases.h"
#include "frontend/text/HloBodyParser.h"
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
      : Lexer(Text, BufferName), BufferName(BufferName),
        Bodies(Lexer, Text,
               [this](StringRef Name) { return Computations.lookup(Name); }) {}

  Expected<std::unique_ptr<HloModule>> parse(StringRef EntryName);
  HloLexer Lexer;
  std::vector<std::string> ShapeWarnings;

private:
  Error parseHeader();
  Error parseTables();
  bool isAtInstruction() const;
  Error parseComputation();
  Error parseSignature(Signature &S);
  Error finish(HloComputation &C, size_t Offset);
  Error checkSignature(const HloComputation &C, const Signature &S);
  Error countCalls(const HloComputation &C);
  Error chooseEntry();
  void compareEntryLayout();
  void warnOfShape(const HloInstruction &I, const HloShape &Other,
                   const Twine &Place);

  StringRef BufferName;
  HloBodyParser Bodies;
  std::unique_ptr<HloModule> Module;
  StringMap<const HloComputation *> Computations;
  DenseMap<const HloComputation *, unsigned> CallDepths;
  DenseSet<const HloComputation *> Called;
  const HloComputation *Entry = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// `module @f`, `module attributes ...`, `#loc = ...`: StableHLO and other
/// dialects of MLIR.
static bool isMlir(const HloLexer &Lexer) {
  StringRef Second = Lexer.peekSecond().Text;
  return Lexer.isAt("#") || Lexer.isAt("func.func") ||
         (Lexer.isAt("module") && (Second == "@" || Second == "attributes"));
}

Expected<std::unique_ptr<HloModule>> ModuleParser::parse(StringRef EntryName) {
  if (isMlir(Lexer))
    return Lexer.error("this is MLIR, not HLO text; JAX prints HLO with "
                       "lower(...).as_text(dialect=\"hlo\"), and "
                       "--xla_dump_to=FOLDER --xla_dump_hlo_as_text write it");
  if (Error E = parseHeader())
    return E;
  if (Error E = parseTables())
    return E;
  if (isAtInstruction()) { // nothing but instructions
    HloComputation &C = Module->addComputation("main");
    size_t Begin = Lexer.peek().Offset;
    C.Location = Lexer.location();
    if (Error E = Bodies.parse(C, /*Closer=*/""))
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
    Lexer.consumeIf(":"); // in old texts
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

/// The computation marked ENTRY, or else the last one.
Error ModuleParser::chooseEntry() {
  if (Module->computations().empty())
    return Lexer.unexpected("a computation, as in 'ENTRY main { ... }'");
  if (!Entry) {
    for (const HloComputation &C : Module->computations()) {
      if (Entry && !Called.contains(Entry))
        Lexer.warn("ENTRY", "no computation is marked ENTRY, so the last one "
                            "is; none calls '" +
                                Entry->name() + "'");
      Entry = &C;
    }
  }
  Module->setEntry(*Entry); // one that is last cannot be called
  compareEntryLayout();
  return Error::success();
}

/// \p Place says that \p I has the shape \p Other.
void ModuleParser::warnOfShape(const HloInstruction &I, const HloShape &Other,
                               const Twine &Place) {
  ShapeWarnings.push_back((BufferName + ":" + Twine(I.Location.Line) + ":" +
                           Twine(I.Location.Column) + ": warning: '" +
                           I.name() + "' is " + I.shape().str() +
                           ", which counts; " + Place + " has " + Other.str())
                              .str());
}

/// `entry_computation_layout={(shape, ...)->shape}` may ask for other layouts
/// than the entry's instructions have.
void ModuleParser::compareEntryLayout() {
  auto Warn = [&](const HloInstruction &I, const HloShape &Layout) {
    if (I.shape() != Layout)
      warnOfShape(I, Layout, "entry_computation_layout");
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
  if (Error E = Bodies.parse(C, "}"))
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
      Lexer.consumeIf(":"); // old texts have none
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

Error ModuleParser::finish(HloComputation &C, size_t Offset) {
  if (Error E = countCalls(C))
    return E;
  const HloInstruction *Culprit;
  if (Error E = C.finish(Culprit)) {
    std::string What = toString(std::move(E));
    return Culprit ? Module->error(*Culprit, What) : Lexer.error(Offset, What);
  }
  return Error::success();
}

Error ModuleParser::countCalls(const HloComputation &C) {
  unsigned &Depth = CallDepths[&C];
  for (const HloInstruction &I : C.instructions()) {
    for (const HloComputation *Callee : I.callees()) {
      if (Callee == Entry)
        return Module->error(I, "it calls the ENTRY '" + Entry->name() +
                                    "'; nothing may call that one");
      Called.insert(Callee);
      Depth = std::max(Depth, CallDepths.lookup(Callee) + 1);
    }
    if (Depth > MaxHloCallDepth)
      return Module->error(I, "computations call each other more than " +
                                  Twine(MaxHloCallDepth) + " levels deep");
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
  // XLA does not compare these.
  for (auto [Written, Parameter] : zip(S.Parameters, C.parameters()))
    if (!Written.isCompatible(Parameter->shape()))
      warnOfShape(*Parameter, Written, "the header of '" + C.name() + "'");
  if (!S.Result->isCompatible(C.root().shape()))
    return Lexer.error(S.Offset, "the header of '" + C.name() +
                                     "' says that the result is " +
                                     S.Result->str(false) + ", its root is " +
                                     C.root().shape().str(false));
  return Error::success();
}

Expected<std::unique_ptr<HloModule>>
parseHlo(StringRef Text, StringRef BufferName,
         std::vector<std::string> &Warnings, StringRef EntryName) {
  Text.consume_front("\xEF\xBB\xBF"); // a byte order mark
  ModuleParser Parser(Text, BufferName);
  Expected<std::unique_ptr<HloModule>> Module = Parser.parse(EntryName);
  append_range(Warnings, Parser.Lexer.takeWarnings());
  append_range(Warnings, Parser.ShapeWarnings);
  return Module;
}

} // namespace unravel
