//===- IndexCasesTest.cpp - The identities that other systems know --------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads test/Inputs/index_identities.jsonl (facts collected from the tests of
// TVM, Halide, XLA, tinygrad, nvFuser, MLIR, Inductor and LLVM), rebuilds each
// constant-divisor input in the floor basis, compares it with the input at
// random points of its box, and with the peer's form by number of divisions.
//
//===----------------------------------------------------------------------===//

#include "analysis/FloorBasis.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace llvm;
using namespace unravel;

namespace {

//===----------------------------------------------------------------------===//
// The expression language of the case files
//===----------------------------------------------------------------------===//

struct Node {
  std::string Op; ///< "num", "var", an operator or a function name
  int64_t Value = 0;
  std::string Name;
  std::vector<std::shared_ptr<Node>> Args;
};
using NodePtr = std::shared_ptr<Node>;

/// A recursive-descent parser; sets Failed for what the test does not model.
class Parser {
public:
  explicit Parser(StringRef Text) : Text(Text) {}
  NodePtr parse() {
    NodePtr E = binary(0);
    skipSpace();
    Failed |= !Text.empty();
    return E;
  }
  bool Failed = false;

private:
  void skipSpace() { Text = Text.ltrim(); }
  static NodePtr make(StringRef Op, std::vector<NodePtr> Args) {
    auto N = std::make_shared<Node>();
    N->Op = Op.str();
    N->Args = std::move(Args);
    return N;
  }
  NodePtr binary(unsigned Level) {
    static const std::vector<std::vector<StringRef>> Levels = {
        {"||"},     {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
        {"+", "-"}, {"*"}};
    if (Level == Levels.size())
      return unary();
    NodePtr Left = binary(Level + 1);
    for (;;) {
      skipSpace();
      StringRef Found;
      for (StringRef Op : Levels[Level])
        if (Text.starts_with(Op) && !Text.starts_with("<<") &&
            !Text.starts_with(">>")) {
          Found = Op;
          break;
        }
      if (Found.empty())
        return Left;
      Text = Text.drop_front(Found.size());
      Left = make(Found, {Left, binary(Level + 1)});
    }
  }
  NodePtr unary() {
    skipSpace();
    if (Text.consume_front("-"))
      return make("neg", {unary()});
    if (Text.consume_front("(")) {
      NodePtr E = binary(0);
      skipSpace();
      Failed |= !Text.consume_front(")");
      return E;
    }
    if (!Text.empty() && isDigit(Text[0])) {
      StringRef Digits = Text.take_while(isDigit);
      Text = Text.drop_front(Digits.size());
      NodePtr N = make("num", {});
      Failed |= Digits.getAsInteger(10, N->Value);
      return N;
    }
    StringRef Word =
        Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
    Text = Text.drop_front(Word.size());
    if (Word.empty()) {
      Failed = true;
      Text = "";
      return make("num", {});
    }
    if (!Text.consume_front("(")) {
      NodePtr N = make("var", {});
      N->Name = Word.str();
      return N;
    }
    std::vector<NodePtr> Args;
    do
      Args.push_back(binary(0));
    while ((skipSpace(), Text.consume_front(",")));
    Failed |= !Text.consume_front(")");
    return make(Word, std::move(Args));
  }
  StringRef Text;
};

using Point = std::map<std::string, int64_t>;

/// The value of \p N by the definitions of the operators, or nullopt for a
/// division by zero.
std::optional<int64_t> valueOf(const Node &N, const Point &P) {
  if (N.Op == "num")
    return N.Value;
  if (N.Op == "var")
    return P.at(N.Name);
  std::vector<int64_t> A;
  for (const NodePtr &Arg : N.Args) {
    std::optional<int64_t> V = valueOf(*Arg, P);
    if (!V)
      return std::nullopt;
    A.push_back(*V);
  }
  const std::string &Op = N.Op;
  if (Op == "neg")
    return -A[0];
  if (Op == "select")
    return A[0] ? A[1] : A[2];
  int64_t X = A[0], Y = A[1];
  if (Op == "+")
    return X + Y;
  if (Op == "-")
    return X - Y;
  if (Op == "*")
    return X * Y;
  if (Op == "min")
    return std::min(X, Y);
  if (Op == "max")
    return std::max(X, Y);
  if (Op == "<")
    return X < Y;
  if (Op == "<=")
    return X <= Y;
  if (Op == ">")
    return X > Y;
  if (Op == ">=")
    return X >= Y;
  if (Op == "==")
    return X == Y;
  if (Op == "!=")
    return X != Y;
  if (Op == "&&")
    return X && Y;
  if (Op == "||")
    return X || Y;
  if (Y == 0)
    return std::nullopt;
  int64_t Trunc = X / Y, Rem = X % Y;
  int64_t Floor = Trunc - (Rem != 0 && (Rem < 0) != (Y < 0) ? 1 : 0);
  int64_t Euclid = Trunc - (Rem < 0 ? (Y > 0 ? 1 : -1) : 0);
  if (Op == "truncdiv")
    return Trunc;
  if (Op == "truncmod")
    return Rem;
  if (Op == "floordiv")
    return Floor;
  if (Op == "floormod")
    return X - Y * Floor;
  if (Op == "ceildiv")
    return -((-X) / Y - ((-X) % Y != 0 && ((-X) % Y < 0) != (Y < 0) ? 1 : 0));
  if (Op == "eucdiv")
    return Euclid;
  if (Op == "eucmod")
    return X - Y * Euclid;
  return std::nullopt;
}

/// Divisions in a peer's form; div and mod of one pair count once.
void collectDivisions(const Node &N, std::set<std::string> &Seen) {
  static std::function<std::string(const Node &)> Text = [](const Node &M) {
    std::string S = M.Op + M.Name + std::to_string(M.Value) + "(";
    for (const NodePtr &A : M.Args)
      S += Text(*A) + ",";
    return S + ")";
  };
  for (const NodePtr &A : N.Args)
    collectDivisions(*A, Seen);
  static const std::set<std::string> Divisions = {
      "floordiv", "floormod", "truncdiv", "truncmod", "eucdiv", "eucmod"};
  if (Divisions.count(N.Op))
    Seen.insert(Text(*N.Args[0]) + "/" + Text(*N.Args[1]));
  else if (N.Op == "ceildiv")
    Seen.insert(Text(N));
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

class Case {
public:
  Case(const json::Object &O) : O(O) {
    std::set<std::string> Unbounded;
    if (const json::Array *U = O.getArray("unbounded"))
      for (const json::Value &V : *U)
        Unbounded.insert(V.getAsString()->str());
    for (const auto &[Name, Box] : *O.getObject("vars")) {
      int64_t Lo = *(*Box.getAsArray())[0].getAsInteger();
      int64_t Hi = *(*Box.getAsArray())[1].getAsInteger();
      Boxes[Name.str()] = {Lo, Hi};
      const IndexAtom *A = Context.createVariable(Name);
      Variables[Name.str()] = A;
      Interval Range(Lo, Hi);
      if (Unbounded.count(Name.str()))
        Range = Lo >= 0 ? Interval::atLeast(Lo) : Interval();
      Domain.declare(A, Range);
    }
  }

  std::optional<StringRef> cond() const { return O.getString("cond"); }
  bool addCondition(const Node &N) {
    if (N.Op == "&&")
      return addCondition(*N.Args[0]) && addCondition(*N.Args[1]);
    static const std::map<std::string, Interval> Ranges = {
        {"<", Interval::atMost(-1)},
        {"<=", Interval::atMost(0)},
        {">", Interval::atLeast(1)},
        {">=", Interval::atLeast(0)},
        {"==", Interval::point(0)}};
    auto It = Ranges.find(N.Op);
    if (It == Ranges.end())
      return false;
    FloorBasis Basis(Domain);
    IndexExpr A = build(*N.Args[0], Basis), B = build(*N.Args[1], Basis);
    if (!A || !B)
      return false;
    Domain.constrain(Context.sub(A, B), It->second);
    Domain.propagate();
    return true;
  }

  /// The floor-basis form of \p N, null if it has a divisor or product that is
  /// not a constant.
  IndexExpr build(const Node &N, FloorBasis &Basis) {
    if (N.Op == "num")
      return Context.constant(N.Value);
    if (N.Op == "var")
      return Context.atom(Variables.at(N.Name));
    std::vector<IndexExpr> A;
    for (const NodePtr &Arg : N.Args)
      if (IndexExpr E = build(*Arg, Basis))
        A.push_back(E);
      else
        return {};
    if (N.Op == "neg")
      return Context.negate(A[0]);
    if (A.size() != 2)
      return {};
    if (N.Op == "+")
      return Context.add(A[0], A[1]);
    if (N.Op == "-")
      return Context.sub(A[0], A[1]);
    if (N.Op == "min")
      return Basis.min(A[0], A[1]);
    if (N.Op == "max")
      return Basis.max(A[0], A[1]);
    if (N.Op == "*") {
      if (!A[1].isConstant())
        std::swap(A[0], A[1]);
      return A[1].isConstant() ? Context.scale(A[0], A[1].constant())
                               : IndexExpr();
    }
    if (!A[1].isConstant() || A[1].constant() == 0)
      return {};
    int64_t D = A[1].constant();
    if (N.Op == "floordiv")
      return Basis.floorDiv(A[0], D);
    if (N.Op == "floormod")
      return Basis.floorMod(A[0], D);
    if (N.Op == "ceildiv")
      return Basis.ceilDiv(A[0], D);
    if (N.Op == "truncdiv")
      return Basis.truncDiv(A[0], D);
    if (N.Op == "truncmod")
      return Basis.truncMod(A[0], D);
    // Euclidean: the remainder is floor's for the positive divisor.
    IndexExpr Mod = Basis.floorMod(A[0], D < 0 ? -D : D);
    if (N.Op == "eucmod")
      return Mod;
    if (N.Op == "eucdiv")
      return Basis.floorDiv(Context.sub(A[0], Mod), D);
    return {};
  }

  Point randomPoint(std::mt19937_64 &Random) const {
    Point P;
    for (const auto &[Name, Box] : Boxes)
      P[Name] =
          std::uniform_int_distribution<int64_t>(Box.first, Box.second)(Random);
    return P;
  }
  std::optional<int64_t> formAt(IndexExpr E, const Point &P) const {
    return evaluate(E, [&](const IndexAtom *A) -> std::optional<int64_t> {
      return P.at(A->name().str());
    });
  }

  const json::Object &O;
  IndexContext Context;
  IndexDomain Domain{Context};
  std::map<std::string, std::pair<int64_t, int64_t>> Boxes;
  std::map<std::string, const IndexAtom *> Variables;
};

std::vector<json::Value> readCases() {
  auto Buffer =
      MemoryBuffer::getFile(UNRAVEL_TEST_INPUTS "/index_identities.jsonl");
  std::vector<json::Value> Cases;
  if (!Buffer) {
    ADD_FAILURE() << "cannot read index_identities.jsonl";
    return Cases;
  }
  SmallVector<StringRef, 0> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    if (Expected<json::Value> V = json::parse(Line))
      Cases.push_back(std::move(*V));
    else
      ADD_FAILURE() << toString(V.takeError());
  return Cases;
}

/// Runs all rewrite and noop cases of one priority; returns the share that is
/// as cheap as the peer's form.
double runRewrites(int64_t Priority) {
  unsigned Cheap = 0, Dearer = 0, Outside = 0;
  std::mt19937_64 Random(1);
  for (const json::Value &V : readCases()) {
    const json::Object &O = *V.getAsObject();
    StringRef Kind = *O.getString("kind");
    if ((Kind != "rewrite" && Kind != "noop") ||
        *O.getInteger("prio") != Priority)
      continue;
    Case C(O);
    Parser InputParser(*O.getString("input"));
    Parser ExpectParser(*O.getString("expect"));
    NodePtr Input = InputParser.parse(), Expect = ExpectParser.parse();
    NodePtr Condition;
    bool Modelled = !InputParser.Failed && !ExpectParser.Failed;
    if (Modelled && C.cond()) {
      Parser CondParser(*C.cond());
      Condition = CondParser.parse();
      Modelled = !CondParser.Failed && C.addCondition(*Condition);
    }
    FloorBasis Basis(C.Domain);
    IndexExpr E = Modelled ? C.build(*Input, Basis) : IndexExpr();
    if (!E) {
      ++Outside;
      continue;
    }
    std::string Where = O.getString("src")->str() + ": " +
                        O.getString("input")->str() + " -> " +
                        toString(C.Context, E);
    for (unsigned I = 0; I < 300; ++I) {
      Point P = C.randomPoint(Random);
      std::optional<int64_t> Want = valueOf(*Input, P);
      if (!Want || (Condition && !valueOf(*Condition, P).value_or(0)))
        continue;
      EXPECT_EQ(C.formAt(E, P), Want) << "WRONG " << Where;
      Interval R = C.Domain.range(E);
      EXPECT_TRUE(R.contains(*Want)) << "range " << R.str() << " " << Where;
    }
    IndexExpr Again = Basis.simplify(Basis.simplify(E));
    EXPECT_TRUE(Again == Basis.simplify(E)) << "not idempotent: " << Where;
    std::set<std::string> Divisions;
    collectDivisions(*Expect, Divisions);
    if (countDivisions(E) <= Divisions.size()) {
      ++Cheap;
    } else {
      ++Dearer;
      std::cout << "dearer " << Where
                << " ; peer: " << O.getString("expect")->str() << "\n";
    }
  }
  std::cout << "priority " << Priority << ": " << Cheap
            << " as cheap as the peer or cheaper, " << Dearer << " dearer, "
            << Outside << " without constant divisors\n";
  return double(Cheap) / (Cheap + Dearer);
}

TEST(IndexCases, DivisionsByConstantsAreAsCheapAsThePeers) {
  EXPECT_GE(runRewrites(1), 0.97);
}

TEST(IndexCases, OtherRewritesAreRight) { EXPECT_GE(runRewrites(2), 0.90); }

TEST(IndexCases, LinearRewritesAreRight) { EXPECT_GE(runRewrites(3), 0.97); }

} // namespace
