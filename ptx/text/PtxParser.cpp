//===- PtxParser.cpp - Read a PTX module ----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent: modules and functions here, declarations in
// PtxDeclarations.cpp, instructions in PtxInstructions.cpp.
//
//===----------------------------------------------------------------------===//

#include "ptx/text/PtxParser.h"
#include "ptx/text/PtxParserBase.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace unravel::ptx;

static bool isLinkage(StringRef Word) {
  return is_contained({".visible", ".extern", ".weak", ".common"}, Word);
}

static bool isVariableSpace(StringRef Word) {
  return is_contained({".global", ".const", ".shared", ".local", ".param"},
                      Word.split("::").first);
}

namespace {

class ModuleParser : ParserBase {
public:
  ModuleParser(StringRef Text, StringRef BufferName)
      : ParserBase(Text, BufferName) {
    Result.Text = Text;
  }

  Expected<Module> parse();

private:
  Error parseItem(Item &I);
  Expected<Directive> parseModuleDirective();
  Expected<Function> parseFunction();
  Error parseLimits(Function &F);
  Error parseBody(Function &F);
  Error parseStatement(Statement &S);
  Expected<Directive> parseBodyDirective();

  Module Result;
};

} // namespace

Expected<Module> ModuleParser::parse() {
  while (!L.atEnd()) {
    const char *Begin = L.begin();
    Item I;
    if (Error E = parseItem(I))
      return E;
    I.Text = L.textFrom(Begin);
    Result.Items.push_back(std::move(I));
  }
  if (Result.Major == 0)
    return L.error(Result.Text.begin(),
                   "no .version directive: this is not a PTX module");
  return std::move(Result);
}

Error ModuleParser::parseItem(Item &I) {
  // What it is stands behind the linkage.
  bool IsExtern = false;
  while (isLinkage(L.peek().Text))
    IsExtern |= L.next().Text == ".extern";
  StringRef First = L.peek().Text;
  if (First == ".entry" || First == ".func") {
    Expected<Function> F = parseFunction();
    if (!F)
      return F.takeError();
    I.What = std::move(*F);
    return Error::success();
  }
  if (isVariableSpace(First)) {
    Expected<Variables> V = parseVariables(IsExtern);
    if (!V)
      return V.takeError();
    I.What = std::move(*V);
    return Error::success();
  }
  Expected<Directive> D = parseModuleDirective();
  if (!D)
    return D.takeError();
  I.What = *D;
  return Error::success();
}

Expected<Directive> ModuleParser::parseModuleDirective() {
  if (L.peek().K != Lexer::Kind::Directive)
    return L.error("expected a directive such as .visible or .global");
  const char *Begin = L.begin();
  StringRef Name = L.next().Text.drop_front();
  Directive D{Name, {}};
  if (Name == "version") {
    D.Rest = L.takeLine();
    StringRef Rest = D.Rest;
    if (Rest.consumeInteger(10, Result.Major) || !Rest.consume_front(".") ||
        Rest.consumeInteger(10, Result.Minor) || Result.Major == 0)
      return L.error(Begin, "expected a version such as 9.0");
  } else if (Name == "target") {
    D.Rest = L.takeLine();
    Result.Target = D.Rest.take_until(
        [](char C) { return C == ',' || C == ' ' || C == '\t'; });
  } else if (Name == "address_size") {
    D.Rest = L.takeLine();
    if (D.Rest.getAsInteger(10, Result.AddressSize) ||
        (Result.AddressSize != 32 && Result.AddressSize != 64))
      return L.error(Begin, "expected .address_size 32 or 64");
  } else if (Name == "file" || Name == "loc") {
    D.Rest = L.takeLine();
  } else if (Name == "section") {
    const char *RestBegin = L.begin();
    while (!L.atEnd() && !L.isAt("{"))
      L.next();
    if (Error E = skipBalanced())
      return E;
    D.Rest = L.textFrom(RestBegin);
  } else if (Name == "pragma" || Name == "alias") {
    return parseToSemicolon(Name);
  } else {
    return L.error(Begin, "unknown directive '." + Name + "'");
  }
  return D;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Expected<Function> ModuleParser::parseFunction() {
  Function F;
  F.IsKernel = L.next().Text == ".entry";
  if (Error E = parseLimits(F)) // .noreturn and .attribute() stand here, or
    return E;
  if (L.isAt("(")) {
    if (Error E = parseParameters(F.Returns))
      return E;
    if (Error E = parseLimits(F))
      return E;
  }
  if (L.peek().K != Lexer::Kind::Word)
    return L.error("expected the name of a function");
  F.Name = L.next().Text;
  if (L.isAt("("))
    if (Error E = parseParameters(F.Parameters))
      return E;
  if (Error E = parseLimits(F))
    return E;
  if (L.consumeIf(";"))
    return F;
  if (!L.isAt("{"))
    return L.error("expected '{' or ';' behind the head of function '" +
                   F.Name + "'");
  if (Error E = parseBody(F))
    return E;
  return F;
}

/// `.maxntid 256, 1, 1`, `.minnctapersm 2`, `.explicitcluster`.
Error ModuleParser::parseLimits(Function &F) {
  while (L.peek().K == Lexer::Kind::Directive) {
    Limit Found;
    Found.Name = L.next().Text.drop_front();
    if (Found.Name == "pragma") {
      Expected<Directive> D = parseToSemicolon(Found.Name);
      if (!D)
        return D.takeError();
      continue;
    }
    if (L.isAt("("))
      if (Error E = skipBalanced())
        return E;
    while (L.peek().K == Lexer::Kind::Number) {
      uint64_t Value;
      if (L.peek().Text.getAsInteger(0, Value))
        return L.error("expected an integer");
      L.next();
      Found.Values.push_back(Value);
      if (!L.consumeIf(","))
        break;
    }
    F.Limits.push_back(std::move(Found));
  }
  return Error::success();
}

Error ModuleParser::parseBody(Function &F) {
  const char *Brace = L.begin();
  L.next();
  const char *Begin = L.end();
  for (unsigned Depth = 1; Depth;) {
    if (L.atEnd())
      return L.error(Brace, "the body of function '" + F.Name +
                                "' has no end: its '}' is missing");
    Statement S;
    const char *StatementBegin = L.begin();
    if (L.isAt("{") || L.isAt("}")) {
      bool Begins = L.isAt("{");
      Depth += Begins ? 1 : -1;
      if (Depth == 0)
        break;
      L.next();
      S.What = Scope{Begins};
    } else if (Error E = parseStatement(S)) {
      return E;
    }
    S.Text = L.textFrom(StatementBegin);
    F.Body.push_back(std::move(S));
  }
  F.HasBody = true;
  F.BodyText = StringRef(Begin, L.begin() - Begin);
  L.next();
  return Error::success();
}

Error ModuleParser::parseStatement(Statement &S) {
  if (L.peek().K == Lexer::Kind::Directive) {
    bool IsExtern = false;
    while (isLinkage(L.peek().Text))
      IsExtern |= L.next().Text == ".extern";
    if (L.isAt(".reg")) {
      Expected<Registers> R = parseRegisters();
      if (!R)
        return R.takeError();
      S.What = std::move(*R);
      return Error::success();
    }
    if (isVariableSpace(L.peek().Text)) {
      Expected<Variables> V = parseVariables(IsExtern);
      if (!V)
        return V.takeError();
      S.What = std::move(*V);
      return Error::success();
    }
    if (L.isAt(".loc")) {
      L.next();
      L.takeLine();
      S.What = Location{};
      return Error::success();
    }
    Expected<Directive> D = parseBodyDirective();
    if (!D)
      return D.takeError();
    S.What = *D;
    return Error::success();
  }
  // `name:` is a label, everything else an instruction.
  if (L.peek().K == Lexer::Kind::Word) {
    StringRef Name = L.peek().Text;
    if (L.peekSecond().Text == ":") {
      L.next();
      L.next();
      S.What = Label{Name};
      return Error::success();
    }
  }
  Expected<Instruction> I = parseInstruction();
  if (!I)
    return I.takeError();
  S.What = std::move(*I);
  return Error::success();
}

Expected<Directive> ModuleParser::parseBodyDirective() {
  StringRef Name = L.next().Text.drop_front();
  if (Name == "file")
    return Directive{Name, L.takeLine()};
  if (Name == "section" || Name == "entry" || Name == "func")
    return L.error(L.end(),
                   "'." + Name + "' inside of a function: a '}' is missing");
  return parseToSemicolon(Name);
}

/// What a file is that is given for PTX by mistake, and what to do; empty for
/// other text.
static StringRef otherContents(StringRef Text) {
  if (Text.starts_with("\xEF\xBB\xBF"))
    return "it begins with a byte order mark; save it as UTF-8 without one";
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return "it is UTF-16; save it as UTF-8";
  if (Text.starts_with("\x7F"
                       "ELF"))
    return "it is an ELF file, not text; cuobjdump -ptx prints the PTX of a "
           "program or an object, if it has some; a cubin has none";
  if (Text.starts_with("\x50\xED\x55\xBA"))
    return "it is a fatbin, not text; cuobjdump -ptx prints the PTX in it, if "
           "it has some";
  if (Text.starts_with("BC\xC0\xDE"))
    return "it is LLVM bitcode; llc -march=nvptx64 makes PTX of it";
  if (Text.contains("__global__") && !Text.contains(".target"))
    return "it is CUDA C++; nvcc -ptx makes PTX of it";
  if (Text.contains("target triple") && !Text.contains(".target"))
    return "it is LLVM IR; llc -march=nvptx64 makes PTX of it";
  return "";
}

Expected<Module> unravel::ptx::parseModule(StringRef Text,
                                           StringRef BufferName) {
  if (StringRef Other = otherContents(Text); !Other.empty())
    return createStringError(BufferName + ": error: no PTX: " + Other);
  return ModuleParser(Text, BufferName).parse();
}
