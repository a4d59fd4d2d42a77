//===- KernelLaunch.cpp - How a kernel is launched ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/KernelLaunch.h"
#include "analysis/json/JsonKeys.h"
#include "analysis/json/JsonNesting.h"
#include "tools/files/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace unravel;

// 1. Element types.

namespace {
struct ElementTraits {
  StringLiteral Name;
  ArgumentType Type;
  unsigned Size;
};

// In the order of the enumerators.
constexpr ElementTraits Elements[] = {
    {"f16", ArgumentType::F16, 2}, {"f32", ArgumentType::F32, 4},
    {"f64", ArgumentType::F64, 8}, {"i8", ArgumentType::I8, 1},
    {"u8", ArgumentType::U8, 1},   {"i16", ArgumentType::I16, 2},
    {"u16", ArgumentType::U16, 2}, {"i32", ArgumentType::I32, 4},
    {"u32", ArgumentType::U32, 4}, {"i64", ArgumentType::I64, 8},
    {"u64", ArgumentType::U64, 8},
};

/// More than this in one buffer is a mistake in the description.
constexpr uint64_t MaxBufferBytes = uint64_t(1) << 32;
constexpr uint64_t MaxAlign = 1 << 16;
} // namespace

StringRef unravel::elementName(ArgumentType Type) {
  return Elements[unsigned(Type)].Name;
}

uint64_t unravel::elementSize(ArgumentType Type) {
  return Elements[unsigned(Type)].Size;
}

bool unravel::isFloat(ArgumentType Type) { return Type <= ArgumentType::F64; }

static std::optional<ArgumentType> elementNamed(StringRef Name) {
  for (const ElementTraits &E : Elements)
    if (E.Name == Name)
      return E.Type;
  return std::nullopt;
}

// 2. Rules that both forms share: empty, or what is wrong.

static bool fits(int64_t Value, ArgumentType Type) {
  unsigned Bits = 8 * elementSize(Type);
  return Bits == 64 || isIntN(Bits, Value) || isUIntN(Bits, Value);
}

static StringLiteral problemOfBuffer(const KernelArgument &A) {
  if (A.Count == 0)
    return "a buffer needs at least one element";
  if (A.Count > MaxBufferBytes / elementSize(A.Type))
    return "a buffer has at most 4 GiB";
  if (!isPowerOf2_64(A.Align) || A.Align > MaxAlign)
    return "an alignment is a power of two up to 65536";
  if (A.Align < elementSize(A.Type))
    return "a buffer is aligned at least as its elements";
  if (A.Min.has_value() != A.Max.has_value())
    return "min and max come together";
  if (A.Min &&
      !(std::isfinite(*A.Min) && std::isfinite(*A.Max) && *A.Min <= *A.Max))
    return "the bounds of a buffer's values are finite, min <= max";
  if (!A.Values.empty() && A.Values.size() != A.Count)
    return "values gives as many values as the buffer has elements";
  if (!isFloat(A.Type) && !all_of(A.Values, [&](double V) {
        return std::abs(V) <= 0x1p53 && std::trunc(V) == V &&
               fits(int64_t(V), A.Type);
      }))
    return "a value of the buffer does not fit its type";
  return "";
}

static StringLiteral problemOfScalar(const KernelArgument &A) {
  if (A.Type == ArgumentType::F16)
    return "f16 scalars are not supported";
  if (!isFloat(A.Type) &&
      !(fits(A.IntegerValue, A.Type) &&
        all_of(A.Also, [&](int64_t Other) { return fits(Other, A.Type); })))
    return "the scalar's value does not fit its type";
  return "";
}

uint64_t LaunchShape::threadsPerBlock() const {
  return uint64_t(Block[0]) * Block[1] * Block[2];
}

uint64_t LaunchShape::blocks() const {
  return uint64_t(Grid[0]) * Grid[1] * Grid[2];
}

Error unravel::checkShape(const LaunchShape &S) {
  for (unsigned I = 0; I != 3; ++I)
    if (S.Grid[I] == 0 || S.Block[I] == 0)
      return createStringError("a grid or block extent is zero");
  // In this order: the product of valid block extents cannot overflow.
  if (S.Block[0] > 1024 || S.Block[1] > 1024 || S.Block[2] > 64 ||
      S.threadsPerBlock() > 1024)
    return createStringError("a block has at most 1024 threads (64 in z)");
  if (S.Grid[0] > 0x7fffffff || S.Grid[1] > 65535 || S.Grid[2] > 65535)
    return createStringError(
        "a grid has at most 2147483647 x 65535 x 65535 blocks");
  return Error::success();
}

// 3. JSON.

static bool readExtent(const json::Value &V, std::array<uint32_t, 3> &Out,
                       json::Path P) {
  const json::Array *A = V.getAsArray();
  if (!A || A->empty() || A->size() > 3) {
    P.report("expected [x, y, z]");
    return false;
  }
  for (unsigned I = 0; I != A->size(); ++I) {
    std::optional<int64_t> N = (*A)[I].getAsInteger();
    if (!N || *N < 1 || *N > INT32_MAX) {
      P.index(I).report("expected a positive 32-bit integer");
      return false;
    }
    Out[I] = *N;
  }
  return true;
}

static bool readType(const json::Value &V, ArgumentType &Type, json::Path P) {
  std::optional<StringRef> Name = V.getAsString();
  std::optional<ArgumentType> Found = Name ? elementNamed(*Name) : std::nullopt;
  if (!Found) {
    P.report("expected a type: f16, f32, f64, i8, u8, ... i64, u64");
    return false;
  }
  Type = *Found;
  return true;
}

namespace unravel {
static bool fromJSON(const json::Value &V, ArgumentType &Type, json::Path P) {
  return readType(V, Type, P);
}
} // namespace unravel

static bool readScalar(const json::Value &V, KernelArgument &A, json::Path P) {
  const json::Object &O = *V.getAsObject();
  A.Kind = KernelArgument::Scalar;
  const json::Value *Value = O.get("value");
  if (!readType(*O.get("scalar"), A.Type, P.field("scalar")))
    return false;
  if (isFloat(A.Type)) {
    std::optional<double> N = Value ? Value->getAsNumber() : std::nullopt;
    if (!N) {
      P.field("value").report("expected a number");
      return false;
    }
    A.FloatValue = *N;
  } else {
    std::optional<int64_t> N = Value ? Value->getAsInteger() : std::nullopt;
    if (!N) {
      P.field("value").report("expected an integer");
      return false;
    }
    A.IntegerValue = *N;
    json::ObjectMapper Map(V, P);
    if (!Map.mapOptional("also", A.Also))
      return false;
  }
  if (StringLiteral Problem = problemOfScalar(A); !Problem.empty()) {
    P.report(Problem);
    return false;
  }
  return true;
}

static bool readBuffer(const json::Value &V, KernelArgument &A, json::Path P) {
  json::ObjectMapper Map(V, P);
  std::string Direction;
  int64_t Count = 0, Align = 256;
  if (!Map || !Map.map("buffer", Direction) || !Map.map("type", A.Type) ||
      !Map.map("count", Count) || !Map.mapOptional("align", Align) ||
      !Map.mapOptional("min", A.Min) || !Map.mapOptional("max", A.Max) ||
      !Map.mapOptional("values", A.Values) || !Map.mapOptional("file", A.File))
    return false;
  if (Direction == "in")
    A.Kind = KernelArgument::In;
  else if (Direction == "out")
    A.Kind = KernelArgument::Out;
  else if (Direction == "inout")
    A.Kind = KernelArgument::InOut;
  else {
    P.field("buffer").report("expected in, out or inout");
    return false;
  }
  A.Count = Count < 0 ? 0 : Count;
  A.Align = Align < 0 ? 0 : Align;
  if (StringLiteral Problem = problemOfBuffer(A); !Problem.empty()) {
    P.report(Problem);
    return false;
  }
  return true;
}

namespace unravel {
static bool fromJSON(const json::Value &V, KernelArgument &A, json::Path P) {
  const json::Object *O = V.getAsObject();
  if (O && O->get("scalar"))
    return readScalar(V, A, P);
  if (O && O->get("buffer"))
    return readBuffer(V, A, P);
  P.report("expected an argument with \"buffer\" or \"scalar\"");
  return false;
}

static bool fromJSON(const json::Value &V, OtherShapes &Shapes, json::Path P) {
  auto Found =
      StringSwitch<std::optional<OtherShapes>>(V.getAsString().value_or(""))
          .Case("huge", OtherShapes::Huge)
          .Case("any", OtherShapes::Any)
          .Case("smaller", OtherShapes::Smaller)
          .Case("this", OtherShapes::SmallerBlock)
          .Default(std::nullopt);
  if (!Found)
    P.report("expected huge, any, smaller or this");
  else
    Shapes = *Found;
  return Found.has_value();
}

static bool fromJSON(const json::Value &V, KernelLaunch &L, json::Path P) {
  json::ObjectMapper Map(V, P);
  std::optional<OtherShapes> Shapes;
  if (!Map || !Map.map("kernel", L.Kernel) ||
      !Map.mapOptional("grids", Shapes) ||
      !Map.mapOptional("shared", L.SharedBytes) ||
      !Map.mapOptional("blocks", L.Blocks))
    return false;
  L.Shapes = Shapes.value_or(OtherShapes::Any);
  const json::Object &O = *V.getAsObject();
  if (std::optional<StringRef> Words = O.getString("args")) {
    Expected<std::vector<KernelArgument>> Parsed = parseArguments(*Words);
    if (!Parsed) {
      // A path's report is a literal; the option says what exactly is wrong.
      consumeError(Parsed.takeError());
      P.field("args").report("arguments that --args refuses, and says why,");
      return false;
    }
    L.Arguments = std::move(*Parsed);
  } else if (!Map.map("args", L.Arguments)) {
    return false;
  }
  for (auto [Name, Extent] :
       {std::pair("grid", &L.Shape.Grid), std::pair("block", &L.Shape.Block)}) {
    const json::Value *E = O.get(Name);
    if (!E) {
      P.field(Name).report("missing value");
      return false;
    }
    if (!readExtent(*E, *Extent, P.field(Name)))
      return false;
  }
  if (Error E = checkShape(L.Shape)) {
    consumeError(std::move(E));
    P.report("no GPU accepts this grid and block");
    return false;
  }
  return true;
}
} // namespace unravel

Expected<std::vector<KernelLaunch>> unravel::readLaunches(StringRef Path) {
  Expected<std::string> File = readFile(Path);
  if (!File)
    return File.takeError();
  if (nestsTooDeep(*File))
    return makeError(Path, "no launches: more than " + Twine(MaxJsonNesting) +
                               " brackets inside each other; give a list of "
                               "launches");
  Expected<json::Value> Text = json::parse(*File);
  if (!Text)
    return createStringError(Path + ": " + toString(Text.takeError()));
  if (std::optional<std::string> Key = repeatedKey(*File))
    return makeError(Path, "two fields \"" + *Key +
                               "\" in one object; leave one out");
  std::vector<KernelLaunch> Launches;
  json::Path::Root Root(Path);
  if (!json::fromJSON(*Text, Launches, Root))
    return Root.getError();
  return Launches;
}

// 4. The command line.

Expected<std::array<uint32_t, 3>> unravel::parseExtent(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, ',');
  std::array<uint32_t, 3> Extent = {1, 1, 1};
  if (Parts.size() > 3)
    return createStringError("'" + Text + "' is not of the form x,y,z");
  for (unsigned I = 0; I != Parts.size(); ++I)
    if (Parts[I].trim().getAsInteger(10, Extent[I]) || Extent[I] == 0)
      return createStringError("'" + Text +
                               "' is not of the form x,y,z with numbers > 0");
  return Extent;
}

static StringLiteral parseOption(StringRef Text, KernelArgument &A) {
  auto [Key, Value] = Text.split('=');
  double Number;
  if (Key == "file") {
    A.File = Value.str();
    return Value.empty() ? StringLiteral("file= needs a path")
                         : StringLiteral("");
  }
  if (Key == "values") {
    SmallVector<StringRef, 8> Words;
    Value.split(Words, ';');
    for (StringRef Word : Words)
      if (Word.getAsDouble(A.Values.emplace_back()))
        return "values= needs numbers with semicolons between";
    return "";
  }
  if (Key == "align")
    return Value.getAsInteger(10, A.Align)
               ? StringLiteral("align= needs a number")
               : StringLiteral("");
  if (Key != "min" && Key != "max")
    return "options of a buffer are align=, min=, max=, values= and file=";
  if (Value.getAsDouble(Number))
    return "min= and max= need a number";
  (Key == "min" ? A.Min : A.Max) = Number;
  return "";
}

static StringLiteral parseArgument(StringRef Text, KernelArgument &A) {
  SmallVector<StringRef, 6> Parts;
  Text.trim().split(Parts, ':');
  auto Direction =
      StringSwitch<std::optional<KernelArgument::ArgumentKind>>(Parts[0])
          .Case("in", KernelArgument::In)
          .Case("out", KernelArgument::Out)
          .Cases({"buf", "inout"}, KernelArgument::InOut)
          .Default(std::nullopt);
  std::optional<ArgumentType> Type =
      elementNamed(Direction && Parts.size() > 1 ? Parts[1] : Parts[0]);
  if (!Type)
    return "expected in|out|inout|buf:TYPE:COUNT or TYPE:VALUE";
  A.Type = *Type;
  if (!Direction) {
    A.Kind = KernelArgument::Scalar;
    if (Parts.size() < 2 ||
        (isFloat(A.Type) ? Parts[1].getAsDouble(A.FloatValue)
                         : Parts[1].getAsInteger(10, A.IntegerValue)))
      return "expected TYPE:VALUE";
    for (StringRef Other : ArrayRef(Parts).drop_front(2))
      if (isFloat(A.Type) || !Other.consume_front("also=") ||
          Other.getAsInteger(10, A.Also.emplace_back()))
        return "expected TYPE:VALUE, and also=VALUE of an integer";
    return problemOfScalar(A);
  }
  A.Kind = *Direction;
  if (Parts.size() < 3 || Parts[2].getAsInteger(10, A.Count))
    return "expected in|out|inout|buf:TYPE:COUNT";
  for (StringRef Option : ArrayRef(Parts).drop_front(3))
    if (StringLiteral Problem = parseOption(Option, A); !Problem.empty())
      return Problem;
  return problemOfBuffer(A);
}

Expected<std::vector<KernelArgument>> unravel::parseArguments(StringRef Text) {
  std::vector<KernelArgument> Arguments;
  SmallVector<StringRef, 8> Parts;
  Text.split(Parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    if (StringLiteral Problem = parseArgument(Part, Arguments.emplace_back());
        !Problem.empty())
      return createStringError("argument '" + Part + "': " + Problem);
  return Arguments;
}

// 5. Variants.

static KernelLaunch withBlock(const KernelLaunch &Launch,
                              std::array<uint32_t, 3> Block) {
  KernelLaunch Result = Launch;
  Result.Shape.Block = Block;
  if (Launch.Shapes > OtherShapes::Any)
    return Result;
  // As many blocks as it takes to have all threads.
  uint64_t Blocks =
      divideCeil(Launch.Shape.threads(), Result.Shape.threadsPerBlock());
  Result.Shape.Grid = {uint32_t(std::min<uint64_t>(Blocks, INT32_MAX)), 1, 1};
  return Result;
}

std::vector<KernelLaunch> unravel::variants(const KernelLaunch &Launch) {
  std::vector<KernelLaunch> Result = {Launch};
  if (Launch.Blocks.empty()) {
    Result.push_back(withBlock(Launch, {1, 1, 1}));
    if (Launch.Shapes != OtherShapes::SmallerBlock)
      Result.back().Shape.Grid = {1, 1, 1};
    for (std::array<uint32_t, 3> Block :
         {std::array<uint32_t, 3>{33, 1, 1}, {7, 3, 1}})
      if (Launch.Shapes <= OtherShapes::Any ||
          Block[0] * Block[1] <= Launch.Shape.threadsPerBlock())
        Result.push_back(withBlock(Launch, Block));
  }
  if (Launch.Shapes == OtherShapes::Huge) {
    Result.push_back(Launch);
    Result.back().Shape.Grid = {INT32_MAX, 1, 1};
    Result.back().SampledBlocks = 256;
  }
  for (auto [I, Argument] : enumerate(Launch.Arguments))
    for (int64_t Other : Argument.Also) {
      Result.push_back(Launch);
      Result.back().Arguments[I].IntegerValue = Other;
    }
  return Result;
}
