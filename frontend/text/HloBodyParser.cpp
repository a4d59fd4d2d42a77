//===- HloBodyParser.cpp - The instructions of computations ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloBodyParser.h"
#include "frontend/hlo/HloLiteral.h"
#include "frontend/shapes/HloShapeInference.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace unravel {

using Kind = HloLexer::Kind;

std::string HloFreshNames::next(StringRef Base) {
  if (!IsRead) { // once, since the text may be long
    IsRead = true;
    // Nothing is read behind a bad token.
    for (HloLexer Lexer(Text, "");
         !Lexer.atEnd() && Lexer.peek().TokenKind != Kind::Bad; Lexer.next()) {
      StringRef Name = Lexer.peek().Text;
      Name.consume_front("%");
      if (Lexer.peek().TokenKind == Kind::Name)
        Taken.insert(Name);
    }
  }
  std::string Name = Base.str();
  while (!Taken.insert(Name).second)
    Name = (Base + "." + Twine(++Numbers[Base])).str();
  return Name;
}

Error HloBodyParser::parse(HloComputation &Computation, StringRef Closer) {
  C = &Computation;
  Instructions.clear();
  Root = nullptr;
  Nesting = 0;
  do {
    if (Error E = parseInstruction())
      return E;
  } while (!Lexer.atEnd() && !Lexer.isAt(Closer));
  if (Root)
    C->setRoot(*Root);
  return Error::success();
}

Error HloBodyParser::parseInstruction() {
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
  Expected<std::optional<HloShape>> Shape = parseShapeIfAny();
  if (!Shape)
    return Shape.takeError();
  Expected<const HloInstruction *> Value =
      parseValue(*Name, {Location, NameOffset, std::move(*Shape), {}, {}});
  if (!Value)
    return Value.takeError();
  Instructions[*Name] = *Value;
  C->setRoot(**Value); // a start adds instructions behind it
  if (IsRoot)
    Root = *Value;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether nothing is known of the operation but that it is there.
static bool isRewritten(HloReading Reading) {
  return Reading == HloReading::Nothing ||
         Reading == HloReading::FirstOperand || Reading == HloReading::Done;
}

/// A shape, unless an operation's name is next.
Expected<std::optional<HloShape>> HloBodyParser::parseShapeIfAny() {
  if (!Lexer.isAtShape() && Lexer.peekSecond().Text == "(")
    return std::nullopt;
  Expected<HloShape> Shape = Lexer.parseShape();
  if (!Shape)
    return Shape.takeError();
  return std::move(*Shape);
}

/// `opcode(operands), attributes`. An operand has no attributes, and its
/// \p Name is empty.
Expected<const HloInstruction *> HloBodyParser::parseValue(StringRef Name,
                                                           Head H) {
  if (Error E = parseOpcode(H))
    return E;
  if (Error E = checkShapeIsKnown(Name, H))
    return E;
  StringRef Operation = H.Operation.Operation;
  HloInstruction I(Name.empty() ? Names.next(Operation) : Name.str(), H.Opcode,
                   H.Shape.value_or(HloShape()));
  I.Location = H.Location;
  I.setAttributes(isRewritten(H.Operation.Reading) ||
                          isLibraryOperation(Operation)
                      ? HloCustomCall{Operation.str(), /*IsOperation=*/true}
                      : emptyAttributesOf(H.Opcode));
  SmallVector<const HloInstruction *, 4> Operands;
  if (Error E = parseOperands(I, H, Operands))
    return E;
  HloAttributeParser Attributes(Lexer, Find);
  if (Error E = Name.empty() ? Attributes.parseNone(I) : Attributes.parse(I))
    return E;
  // A copy of a tuple passes on the arrays.
  if (H.Opcode == HloOpcode::Copy &&
      H.Operation.Reading == HloReading::AsWritten &&
      Operands.front()->shape().isTuple())
    H.Operation.Reading = HloReading::FirstOperand;
  return add(std::move(I), Operands, H);
}

Error HloBodyParser::parseOpcode(Head &H) {
  HloLexer::Token T = Lexer.peek();
  if (T.TokenKind != Kind::Name)
    return Lexer.unexpected("an opcode behind the shape");
  H.Operation = equivalentOf(T.Text);
  StringRef Name = H.Operation.Operation;
  std::optional<HloOpcode> Opcode = opcodeNamed(Name);
  if (isRewritten(H.Operation.Reading) || isLibraryOperation(Name))
    Opcode = HloOpcode::CustomCall;
  else if (Name == "async") // begun by async-start
    Opcode = HloOpcode::Call;
  if (!Opcode) {
    StringRef Similar = opcodeSimilarTo(T.Text);
    return Lexer.error(
        "unknown or unsupported opcode '" + T.Text.take_front(40) + "'; " +
        (Similar.empty()
             ? "docs/frontend.md has the table of those that are supported; "
               "--entry=NAME emits a computation above this one"
             : "did you mean '" + Similar + "'?"));
  }
  H.Opcode = *Opcode;
  return Error::success();
}

/// The next token is the opcode.
Error HloBodyParser::checkShapeIsKnown(StringRef Name, const Head &H) {
  bool IsStart = H.Operation.Reading == HloReading::Start;
  bool IsTold = isRewritten(H.Operation.Reading) ||
                (!IsStart && isShapeDetermined(H.Opcode));
  StringRef Written = Lexer.peek().Text;
  if (!H.Shape && !IsTold)
    return Lexer.error((Name.empty()
                            ? "the shape is missing"
                            : "the shape of '" + Name + "' is missing") +
                       "; write it in front of '" + Written +
                       "', since the operands do not tell it");
  if (IsStart) {
    Expected<HloShape> Result = resultOfStart(H.Operation.Operation, *H.Shape);
    if (!Result)
      return Lexer.error(toString(Result.takeError()));
  }
  Lexer.next();
  return Error::success();
}

/// \p Opcode in the place of \p I.
static HloInstruction madeFrom(HloInstruction &I, HloOpcode Opcode) {
  HloInstruction New(I.name().str(), Opcode, I.shape());
  New.Location = I.Location;
  return New;
}

/// Adds what \p I, with head \p H, stands for.
Expected<const HloInstruction *>
HloBodyParser::add(HloInstruction I, ArrayRef<const HloInstruction *> Operands,
                   const Head &H) {
  StringRef Operation = H.Operation.Operation;
  switch (H.Operation.Reading) {
  case HloReading::AsWritten:
    return addNew(std::move(I), Operands, H);
  case HloReading::Nothing:
    return addNew(madeFrom(I, HloOpcode::Tuple), {}, H);
  case HloReading::FirstOperand:
    return addNew(madeFrom(I, HloOpcode::OptimizationBarrier), Operands.front(),
                  H);
  case HloReading::Start: {
    // The shape was checked.
    I.setShape(cantFail(resultOfStart(Operation, *H.Shape)));
    const HloInstruction &Result = C->add(std::move(I), Operands);
    Expected<const HloInstruction *> Started =
        addStart(*C, Operation, Result, *H.Shape,
                 [&](StringRef Base) { return Names.next(Base); });
    if (!Started)
      return Lexer.error(H.Offset, toString(Started.takeError()));
    return Started;
  }
  case HloReading::Done: {
    Expected<HloShape> Result =
        resultOfStart(Operation, Operands.front()->shape());
    if (!Result)
      return Lexer.error(H.Offset, toString(Result.takeError()));
    std::optional<int64_t> Place = placeOfResult(Operation);
    HloInstruction Done = madeFrom(I, Place ? HloOpcode::GetTupleElement
                                            : HloOpcode::OptimizationBarrier);
    if (Place)
      Done.setAttributes(HloTupleIndex{*Place});
    return addNew(std::move(Done), Operands, H);
  }
  }
  llvm_unreachable("all readings are there");
}

Expected<const HloInstruction *>
HloBodyParser::addNew(HloInstruction I,
                      ArrayRef<const HloInstruction *> Operands,
                      const Head &H) {
  HloInstruction &Added = C->add(std::move(I), Operands);
  if (!H.Shape)
    if (Error E = setInferredShape(Added, H.Offset))
      return E;
  return &Added;
}

/// Operands and attributes tell the shape of \p I.
Error HloBodyParser::setInferredShape(HloInstruction &I, size_t Offset) {
  if (I.opcode() == HloOpcode::Dot || I.opcode() == HloOpcode::Convolution) {
    const HloShape &Lhs = I.operand(0).shape(), &Rhs = I.operand(1).shape();
    if (Lhs.isArray() && Rhs.isArray() &&
        Lhs.elementType() != Rhs.elementType())
      return Lexer.error(Offset, "the operands have different types; write the "
                                 "shape of the result");
    I.setShape(HloShape::scalar(Lhs.elementType())); // products have this type
  }
  Expected<HloShape> Shape = inferShape(I);
  if (!Shape)
    return Lexer.error(Offset, "instruction '" + I.name() + "' (" +
                                   nameOf(I.opcode()) +
                                   "): " + toString(Shape.takeError()));
  I.setShape(std::move(*Shape));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The parentheses and what is in them.
Error HloBodyParser::parseOperands(
    HloInstruction &I, const Head &H,
    SmallVectorImpl<const HloInstruction *> &Operands) {
  if (Error E = Lexer.expect("(", "and the operands"))
    return E;
  size_t Begin = Lexer.peek().Offset;
  if (I.opcode() == HloOpcode::Parameter) {
    Expected<int64_t> Number = Lexer.parseInteger("the number of a parameter");
    if (!Number)
      return Number.takeError();
    I.setAttributes(HloParameter{*Number});
  } else if (I.opcode() == HloOpcode::Constant) {
    if (Error E = parseLiteralOperand(I))
      return E;
  } else {
    if (!Lexer.isAt(")")) {
      do {
        if (Error E = parseOperand(Operands))
          return E;
      } while (Lexer.consumeIf(","));
    }
    if (Error E = checkOperandCount(H, Operands.size(), Begin))
      return E;
  }
  return Lexer.expect(")", "behind the operands");
}

Error HloBodyParser::checkOperandCount(const Head &H, size_t Count,
                                       size_t Offset) {
  StringRef Name = H.Operation.Operation;
  int Wanted = operandCountOf(H.Opcode);
  if (Name == "add-dependency")
    Wanted = 2;
  else if (H.Operation.Reading == HloReading::FirstOperand ||
           H.Operation.Reading == HloReading::Done)
    Wanted = 1;
  if (Wanted == HloVariadic || size_t(Wanted) == Count)
    return Error::success();
  return Lexer.error(Offset, Name + " takes " + Twine(Wanted) +
                                 (Wanted == 1 ? " operand" : " operands") +
                                 ", found " + Twine(Count));
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
Expected<HloLiteral> HloBodyParser::parseElided(const HloInstruction &I) {
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

Error HloBodyParser::parseLiteralOperand(HloInstruction &I) {
  bool IsElided = Lexer.isAt("{") && Lexer.peekSecond().Text == ".";
  Expected<HloLiteral> Literal =
      IsElided ? parseElided(I) : parseLiteral(Lexer, I.shape());
  if (!Literal)
    return Literal.takeError();
  I.setAttributes(
      HloConstant{std::make_shared<const HloLiteral>(std::move(*Literal))});
  return Error::success();
}

/// `shape? name`, or an operation without a name.
Error HloBodyParser::parseOperand(
    SmallVectorImpl<const HloInstruction *> &Operands) {
  std::optional<HloShape> Written;
  size_t Begin = Lexer.peek().Offset;
  HloLocation Location = Lexer.location();
  if (Lexer.isAtShape()) {
    Expected<HloShape> Shape = Lexer.parseShape();
    if (!Shape)
      return Shape.takeError();
    Written = std::move(*Shape);
  }
  size_t NameOffset = Lexer.peek().Offset;
  if (Lexer.peek().TokenKind == Kind::Name && Lexer.peekSecond().Text == "(") {
    if (Nesting == MaxHloNesting)
      return Lexer.error(NameOffset, "operations stand in operands more than " +
                                         Twine(MaxHloNesting) +
                                         " levels deep; give them names");
    ++Nesting;
    Expected<const HloInstruction *> Operand =
        parseValue("", {Location, Begin, std::move(Written), {}, {}});
    --Nesting;
    if (!Operand)
      return Operand.takeError();
    Operands.push_back(*Operand);
    return Error::success();
  }
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

} // namespace unravel
