//===- HloLexer.cpp - HLO text as tokens ----------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/text/HloLexer.h"
#include "analysis/syntax/SyntaxError.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Behind white space and comments; at a comment that has no end.
size_t HloLexer::skipSpace(size_t Position) const {
  while (true) {
    Position = Text.find_first_not_of(" \t\r\n\v\f", Position);
    if (Position == StringRef::npos)
      return Text.size();
    StringRef Rest = Text.substr(Position);
    size_t End;
    if (Rest.starts_with("//"))
      End = Text.find('\n', Position);
    else if (Rest.starts_with("/*"))
      End = Text.find("*/", Position + 2);
    else
      return Position;
    if (End == StringRef::npos)
      return Rest[1] == '/' ? Text.size() : Position;
    Position = End + (Rest[1] == '/' ? 1 : 2);
  }
}

static bool isNameStart(char C) { return isAlpha(C) || C == '_' || C == '%'; }
static bool isNamePart(char C) {
  return isAlnum(C) || C == '_' || C == '.' || C == '-';
}

/// The length of a name; `a->b` is the name `a`.
static size_t lengthOfName(StringRef Rest) {
  size_t Length = 1;
  while (Length < Rest.size() && isNamePart(Rest[Length]) &&
         !Rest.substr(Length).starts_with("->"))
    ++Length;
  return Length;
}

/// The length of a number, or 0: a sign, digits, a fraction, an exponent.
static size_t lengthOfNumber(StringRef Rest) {
  size_t Length = Rest[0] == '-' || Rest[0] == '+';
  auto SkipDigits = [&](bool IsHex) {
    size_t Begin = Length;
    while (Length < Rest.size() &&
           (IsHex ? isHexDigit(Rest[Length]) : isDigit(Rest[Length])))
      ++Length;
    return Length - Begin;
  };
  if (Length == 1 && Length < Rest.size() && isAlpha(Rest[1]))
    return lengthOfName(Rest); // -inf
  bool IsHex = Rest.substr(Length).starts_with_insensitive("0x");
  if (IsHex)
    Length += 2;
  size_t Digits = SkipDigits(IsHex);
  if (Length < Rest.size() && Rest[Length] == '.') {
    ++Length;
    Digits += SkipDigits(IsHex);
  }
  if (Digits == 0)
    return 0;
  StringRef Behind = Rest.substr(Length);
  if (Behind.starts_with_insensitive(IsHex ? "p" : "e")) {
    size_t Mantissa = Length++;
    if (Length < Rest.size() && (Rest[Length] == '-' || Rest[Length] == '+'))
      ++Length;
    if (SkipDigits(/*IsHex=*/false) == 0)
      Length = Mantissa; // the letter belongs to something else
  }
  return Length;
}

/// The length of a string with its quotation marks, or 0 if it has no end.
static size_t lengthOfString(StringRef Rest) {
  for (size_t I = 1; I < Rest.size(); ++I) {
    if (Rest[I] == '\\')
      ++I;
    else if (Rest[I] == '"')
      return I + 1;
  }
  return 0;
}

HloLexer::Token HloLexer::tokenAt(size_t Position) const {
  Position = skipSpace(Position);
  StringRef Rest = Text.substr(Position);
  if (Rest.empty())
    return {Kind::End, Rest, Position};
  if (Rest.starts_with("/*"))
    return {Kind::Bad, Rest.take_front(2), Position};
  if (isNameStart(Rest[0]))
    return {Kind::Name, Rest.take_front(lengthOfName(Rest)), Position};
  if (Rest[0] == '"') {
    if (size_t Length = lengthOfString(Rest))
      return {Kind::String, Rest.take_front(Length), Position};
    return {Kind::Bad, Rest.take_front(1), Position};
  }
  if (isDigit(Rest[0]) || StringRef("+-.").contains(Rest[0]))
    if (size_t Length = lengthOfNumber(Rest))
      return {Kind::Number, Rest.take_front(Length), Position};
  if (Rest.starts_with("->"))
    return {Kind::Symbol, Rest.take_front(2), Position};
  // The bytes of a character beyond ASCII stay together, for messages.
  size_t Length = 1;
  if (!isASCII(Rest[0]))
    Length = Rest.take_until([](char C) { return isASCII(C); }).size();
  return {Kind::Symbol, Rest.take_front(Length), Position};
}

void HloLexer::advance() {
  LastEnd = Current.Offset + Current.Text.size();
  Current = tokenAt(LastEnd);
}

HloLexer::Token HloLexer::peekSecond() const {
  return tokenAt(Current.Offset + Current.Text.size());
}

HloLexer::Token HloLexer::next() {
  Token T = Current;
  if (T.TokenKind != Kind::Bad) // there is nothing behind a bad one
    advance();
  return T;
}

bool HloLexer::consumeIf(StringRef Symbol) {
  if (!isAt(Symbol))
    return false;
  next();
  return true;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// A token as messages name it; bytes that do not print are written `\xNN`.
static std::string describe(const HloLexer::Token &Token) {
  constexpr size_t MaxLength = 40;
  if (Token.TokenKind == HloLexer::Kind::End)
    return "the end of the text";
  std::string Name = "'";
  for (char C : Token.Text.take_front(MaxLength)) {
    if (isPrint(C))
      Name += C;
    else
      Name += "\\x" + utohexstr(static_cast<unsigned char>(C),
                                /*LowerCase=*/false, /*Width=*/2);
  }
  return Name + (Token.Text.size() > MaxLength ? "...'" : "'");
}

Error HloLexer::error(size_t Offset, const Twine &What) const {
  return syntaxError(Text, BufferName, Offset, What);
}

Error HloLexer::unexpected(const Twine &What) const {
  if (Current.TokenKind == Kind::Bad)
    return error(Current.Text == "\"" ? "this string has no end; close it with "
                                        "a quotation mark"
                                      : "this comment has no end; close it "
                                        "with */");
  // What is missing at the end of the text is missing behind the last token.
  return error(atEnd() ? LastEnd : Current.Offset,
               "expected " + What + ", found " + describe(Current));
}

Error HloLexer::expect(StringRef Symbol, StringRef Context) {
  if (consumeIf(Symbol))
    return Error::success();
  return unexpected("'" + Symbol + "'" + (Context.empty() ? "" : " ") +
                    Context);
}

void HloLexer::warn(StringRef Key, const Twine &What) {
  constexpr size_t MaxWarnings = 100;
  if (Warnings.size() == MaxWarnings || !WarnedOf.insert(Key).second)
    return;
  HloLocation Place = location();
  Warnings.push_back((BufferName + ":" + Twine(Place.Line) + ":" +
                      Twine(Place.Column) + ": warning: " + What)
                         .str());
}

HloLocation HloLexer::location() {
  size_t Offset = Current.Offset; // never goes back
  StringRef Between = Text.slice(CountedOffset, Offset);
  size_t LastBreak = Between.rfind('\n');
  if (LastBreak != StringRef::npos) {
    Line += Between.count('\n');
    LineBegin = CountedOffset + LastBreak + 1;
  }
  CountedOffset = Offset;
  return {Line, unsigned(Offset - LineBegin + 1)};
}

//===----------------------------------------------------------------------===//
// Small parts
//===----------------------------------------------------------------------===//

Expected<StringRef> HloLexer::parseName(StringRef What) {
  StringRef Name = Current.Text;
  Name.consume_front("%");
  if (Current.TokenKind != Kind::Name || Name.empty())
    return unexpected(What);
  next();
  return Name;
}

Expected<int64_t> HloLexer::parseInteger(StringRef What) {
  int64_t Value;
  if (Current.TokenKind != Kind::Number)
    return unexpected(What);
  if (Current.Text.getAsInteger(10, Value))
    return error(What + " has to be an integer of 64 bits, found " +
                 describe(Current));
  next();
  return Value;
}

Expected<HloNumbers> HloLexer::parseNumbers(StringRef What) {
  if (Error E = expect("{", ("before " + What).str()))
    return E;
  HloNumbers Numbers;
  if (consumeIf("}"))
    return Numbers;
  do {
    Expected<int64_t> Number = parseInteger("a number");
    if (!Number)
      return Number.takeError();
    Numbers.push_back(*Number);
  } while (consumeIf(","));
  if (Error E = expect("}", ("behind " + What).str()))
    return E;
  return Numbers;
}

Expected<bool> HloLexer::parseBool(StringRef What) {
  if (consumeIf("true"))
    return true;
  if (consumeIf("false"))
    return false;
  return unexpected("'true' or 'false' for " + What);
}

StringRef HloLexer::takeWord() {
  StringRef Word = Text.substr(Current.Offset).take_until([](char C) {
    return isSpace(C) || StringRef(",})").contains(C);
  });
  Current.Text = Word;
  advance();
  return Word;
}

Expected<StringRef> HloLexer::takeValue() {
  size_t Begin = Current.Offset;
  std::vector<char> Closers; // of the brackets that are open, a stack
  do {
    if (Current.TokenKind == Kind::End || Current.TokenKind == Kind::Bad)
      return unexpected(Closers.empty() ? Twine("the value of an attribute")
                                        : "'" + Twine(Closers.back()) +
                                              "' in the value of an attribute");
    char C = Current.TokenKind == Kind::Symbol ? Current.Text[0] : 0;
    if (C == '{' || C == '(' || C == '[') {
      Closers.push_back(C == '{' ? '}' : C == '(' ? ')' : ']');
    } else if (!Closers.empty() && C == Closers.back()) {
      Closers.pop_back();
    } else if (C == '}' || C == ')' || C == ']' ||
               (C == ',' && Closers.empty())) {
      return unexpected("the value of an attribute");
    }
    next();
    // A value ends with its last bracket, at a space, at what cannot be in it.
  } while (!Closers.empty() ||
           (Current.Offset == LastEnd && !atEnd() && !isAt(",") && !isAt("}") &&
            !isAt(")") && !isAt("]")));
  return Text.slice(Begin, LastEnd);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// `b(shape)` is a buffer that XLA must not copy.
bool HloLexer::isAtBuffer() const {
  return Current.TokenKind == Kind::Name && Current.Text == "b" &&
         peekSecond().Text == "(";
}

bool HloLexer::isAtShape() const {
  return isAt("(") || isAtBuffer() ||
         (Current.TokenKind == Kind::Name && peekSecond().Text == "[");
}

/// Tuples are parsed with a stack of their own, so that depth costs no
/// recursion; HloShape::tuple limits it.
Expected<HloShape> HloLexer::parseShape() {
  std::vector<std::vector<HloShape>> Open; // elements of tuples not yet closed
  while (true) {
    std::optional<HloShape> Done;
    if (isAt("(")) {
      if (Open.size() >= HloShape::MaxNesting)
        return error("tuples nest more than " + Twine(HloShape::MaxNesting) +
                     " levels deep");
      next();
      Open.emplace_back();
      if (!isAt(")"))
        continue;
    } else {
      Expected<HloShape> Array = parseArrayShape();
      if (!Array || Open.empty())
        return Array;
      Open.back().push_back(std::move(*Array));
    }
    // Close what ends here.
    while (!isAt(",")) {
      if (Error E = expect(")", "or ',' in a tuple's shape"))
        return E;
      Expected<HloShape> Tuple = HloShape::tuple(std::move(Open.back()));
      Open.pop_back();
      if (!Tuple || Open.empty())
        return Tuple;
      Open.back().push_back(std::move(*Tuple));
    }
    next();
  }
}

Expected<HloShape> HloLexer::parseArrayShape() {
  if (isAtBuffer()) {
    next();
    next();
    if (isAtBuffer())
      return unexpected("the shape of an array in a buffer");
    Expected<HloShape> Array = parseArrayShape();
    if (!Array)
      return Array;
    if (Error E = expect(")", "behind the shape of a buffer"))
      return E;
    return Array;
  }
  size_t Begin = Current.Offset;
  if (Current.TokenKind != Kind::Name || Current.Text.starts_with("%"))
    return unexpected("a shape, as in 'f32[2,3]{1,0}'");
  bool IsToken = Current.Text == "token";
  std::optional<ElementType> Type = elementTypeNamed(Current.Text);
  if (!Type && !IsToken)
    return error("unknown element type " + describe(Current) +
                 "; the types are " + elementTypeNames());
  next();
  if (Error E = expect("[", "and the sizes of the dimensions"))
    return E;
  if (IsToken) { // it has no elements
    if (Error E = expect("]", "since a token has no dimensions"))
      return E;
    return HloShape::tuple({});
  }
  HloNumbers Dimensions;
  if (!isAt("]")) {
    do {
      if (isAt("<") || isAt("?"))
        return error("dimensions whose size is known at run time only are not "
                     "supported; write the size");
      Expected<int64_t> Size = parseInteger("the size of a dimension");
      if (!Size)
        return Size.takeError();
      Dimensions.push_back(*Size);
    } while (consumeIf(","));
  }
  if (Error E = expect("]", "behind the sizes of the dimensions"))
    return E;
  std::optional<HloNumbers> Layout;
  if (isAtLayout())
    if (Error E = parseLayout(Layout))
      return E;
  Expected<HloShape> Shape = HloShape::array(
      *Type, Dimensions,
      Layout ? std::optional<ArrayRef<int64_t>>(*Layout) : std::nullopt);
  if (!Shape)
    return error(Begin, toString(Shape.takeError()));
  return Shape;
}

/// A `{` behind a shape begins a layout or the body of a computation.
bool HloLexer::isAtLayout() const {
  if (!isAt("{"))
    return false;
  Token Second = peekSecond();
  return Second.TokenKind == Kind::Number || Second.Text == ":" ||
         Second.Text == "}";
}

/// `{1,0}`, `{}`, `{1,0:T(8,128)S(1)}`.
Error HloLexer::parseLayout(std::optional<HloNumbers> &Layout) {
  next();
  HloNumbers Numbers;
  if (!isAt("}") && !isAt(":")) {
    do {
      Expected<int64_t> Number = parseInteger("a dimension in a layout");
      if (!Number)
        return Number.takeError();
      Numbers.push_back(*Number);
    } while (consumeIf(","));
  }
  if (isAt(":")) {
    warn("layout", "tiles, element sizes and memory spaces of layouts are "
                   "ignored; arrays are stored densely");
    while (!atEnd() && !isAt("}") && Current.TokenKind != Kind::Bad)
      next();
  }
  Layout = std::move(Numbers);
  return expect("}", "behind a layout");
}

} // namespace unravel
