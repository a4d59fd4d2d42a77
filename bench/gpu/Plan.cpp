//===- Plan.cpp - What to measure on a GPU --------------------------------===//

#include "Plan.h"

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <type_traits>

using namespace unravel::gpu;

size_t unravel::gpu::sizeOfType(const std::string &Type) {
  static const std::map<std::string, size_t> Sizes = {
      {"i8", 1},  {"u8", 1},  {"i16", 2}, {"u16", 2}, {"i32", 4},
      {"u32", 4}, {"f32", 4}, {"i64", 8}, {"u64", 8}, {"f64", 8}};
  auto Found = Sizes.find(Type);
  if (Found == Sizes.end())
    throw std::runtime_error("unknown type '" + Type + "'");
  return Found->second;
}

size_t Argument::bytes() const {
  return isBuffer() ? Count * sizeOfType(Type) : Bytes.size();
}

size_t Case::bytes() const {
  if (Moved)
    return Moved;
  size_t Sum = 0;
  for (const Argument &A : Arguments)
    if (A.isBuffer())
      Sum += A.bytes() * (A.How == Argument::Kind::InOut ? 2 : 1);
  return Sum;
}

namespace {

template <typename T> T parse(const std::string &Word) {
  std::istringstream Stream(Word);
  T Value;
  // A stream reads -1 as the largest unsigned number.
  if ((std::is_unsigned_v<T> && Word[0] == '-') || !(Stream >> Value) ||
      !Stream.eof())
    throw std::runtime_error("'" + Word + "' is no number of this type");
  return Value;
}

template <typename T> void append(std::vector<std::byte> &To, T Value) {
  To.resize(To.size() + sizeof(T));
  std::memcpy(To.data() + To.size() - sizeof(T), &Value, sizeof(T));
}

void appendInteger(std::vector<std::byte> &To, const std::string &Type,
                   uint64_t Value) {
  size_t Bytes = sizeOfType(Type);
  To.resize(To.size() + Bytes);
  std::memcpy(To.data() + To.size() - Bytes, &Value, Bytes);
}

void appendValue(std::vector<std::byte> &To, const std::string &Type,
                 const std::string &Word) {
  if (Type == "f32")
    return append(To, float(parse<double>(Word)));
  if (Type == "f64")
    return append(To, parse<double>(Word));
  // Signed and unsigned words of a width have the same bytes.
  bool IsNegative = Word[0] == '-';
  uint64_t Value =
      IsNegative ? uint64_t(parse<int64_t>(Word)) : parse<uint64_t>(Word);
  unsigned Unused = 64 - 8 * unsigned(sizeOfType(Type));
  bool Fits = IsNegative ? int64_t(Value << Unused) >> Unused == int64_t(Value)
                         : Value << Unused >> Unused == Value;
  if (!Fits)
    throw std::runtime_error("'" + Word + "' is no value of type " + Type);
  appendInteger(To, Type, Value);
}

/// The words of one statement, taken one by one.
class Statement {
public:
  explicit Statement(const std::string &Line) : Stream(Line) {}

  bool hasMore() { return bool(Stream >> std::ws) && Stream.peek() != EOF; }

  std::string word() {
    std::string Word;
    if (!(Stream >> Word))
      throw std::runtime_error("the line ends too early");
    return Word;
  }
  template <typename T> T number() { return parse<T>(word()); }

  Dim dim() {
    Dim Result;
    for (unsigned &Size : Result)
      Size = number<unsigned>();
    return Result;
  }

private:
  std::istringstream Stream;
};

Argument readArgument(const std::string &Keyword, Statement &Line) {
  using Kind = Argument::Kind;
  static const std::map<std::string, Kind> Kinds = {
      {"in", Kind::In},        {"out", Kind::Out},
      {"inout", Kind::InOut},  {"values", Kind::Values},
      {"steps", Kind::Steps},  {"struct", Kind::Struct},
      {"scalar", Kind::Scalar}};
  auto Found = Kinds.find(Keyword);
  if (Found == Kinds.end())
    throw std::runtime_error("unknown statement '" + Keyword + "'");
  Argument Result;
  Result.How = Found->second;
  Result.Type = Line.word();
  sizeOfType(Result.Type);
  if (Result.isBuffer()) {
    Result.Count = Line.number<size_t>();
    constexpr size_t MostBytes = size_t(1) << 40; // More than any GPU has.
    if (Result.Count == 0 || Result.Count > MostBytes / 8)
      throw std::runtime_error("no buffer has " + std::to_string(Result.Count) +
                               " elements");
  }
  if (Result.How == Kind::In || Result.How == Kind::InOut) {
    if (Line.hasMore()) {
      Result.Low = Line.number<double>();
      Result.High = Line.number<double>();
    }
    return Result;
  }
  if (Result.How == Kind::Out)
    return Result;
  if (Result.How == Kind::Steps) {
    if (Result.Type[0] == 'f')
      throw std::runtime_error("steps are of an integer type");
    Result.First = Line.number<int64_t>();
    Result.Step = Line.number<int64_t>();
    return Result;
  }
  do
    appendValue(Result.Bytes, Result.Type, Line.word());
  while (Result.How != Kind::Scalar && Line.hasMore());
  return Result;
}

Version readVersion(Statement &Line, Dim Grid, Dim Block) {
  Version Result;
  Result.Label = Line.word();
  Result.File = Line.word();
  Result.Symbol = Line.word();
  Result.Grid = Grid;
  Result.Block = Block;
  if (!Line.hasMore())
    return Result;
  std::string How = Line.word();
  if (How != "exact" && How != "close")
    throw std::runtime_error("'" + How + "' is neither exact nor close");
  Result.IsExact = How == "exact";
  Result.Reference = Line.word();
  return Result;
}

class Reader {
public:
  void read(Statement &Line) {
    std::string Keyword = Line.word();
    if (Keyword == "case") {
      Case &C = Cases.emplace_back();
      C.Name = Line.word();
      C.ElementBytes = Line.number<unsigned>();
      C.Size = Line.word();
      Grid = Block = {1, 1, 1};
      return;
    }
    if (Cases.empty())
      throw std::runtime_error("a plan begins with a case");
    Case &C = Cases.back();
    if (Keyword == "grid")
      (C.Versions.empty() ? Grid : C.Versions.back().Grid) = Line.dim();
    else if (Keyword == "block")
      (C.Versions.empty() ? Block : C.Versions.back().Block) = Line.dim();
    else if (Keyword == "shared")
      C.Shared = Line.number<size_t>();
    else if (Keyword == "moved")
      C.Moved = Line.number<size_t>();
    else if (Keyword == "version")
      addVersion(C, readVersion(Line, Grid, Block));
    else
      C.Arguments.push_back(readArgument(Keyword, Line));
  }

  std::vector<Case> Cases;

private:
  Dim Grid, Block;

  static void addVersion(Case &C, Version New) {
    bool IsKnown = New.Reference.empty();
    for (const Version &V : C.Versions)
      IsKnown |= V.Label == New.Reference;
    if (!IsKnown)
      throw std::runtime_error("no version '" + New.Reference + "' above");
    C.Versions.push_back(std::move(New));
  }
};

} // namespace

std::vector<std::byte> unravel::gpu::contentOf(const Argument &A) {
  std::vector<std::byte> All;
  All.reserve(A.bytes());
  for (size_t At = 0; At < A.Count; ++At) {
    if (A.How == Argument::Kind::Steps) {
      appendInteger(All, A.Type, uint64_t(A.First) + At * uint64_t(A.Step));
      continue;
    }
    size_t Size = sizeOfType(A.Type), From = At * Size % A.Bytes.size();
    All.insert(All.end(), A.Bytes.begin() + From,
               A.Bytes.begin() + From + Size);
  }
  return All;
}

std::vector<Case> unravel::gpu::readPlan(const std::string &Path) {
  std::ifstream File(Path);
  if (!File)
    throw std::runtime_error(Path + ": cannot be read");
  Reader Plan;
  std::string Text;
  for (unsigned Number = 1; std::getline(File, Text); ++Number) {
    Statement Line(Text.substr(0, Text.find('#')));
    if (!Line.hasMore())
      continue;
    try {
      Plan.read(Line);
      if (Line.hasMore())
        throw std::runtime_error("'" + Line.word() + "' is too much");
    } catch (const std::runtime_error &Error) {
      throw std::runtime_error(Path + ":" + std::to_string(Number) + ": " +
                               Error.what());
    }
  }
  return std::move(Plan.Cases);
}
