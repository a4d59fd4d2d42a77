//===- HloEvaluatorRelationsTest.cpp - One operation by others ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations with many parameters are compared with what simpler ones give, for
// random parameters. Integers wrap, so any order of additions is exact.
//
//===----------------------------------------------------------------------===//

#include "frontend/evaluate/HloEvaluator.h"
#include "test/unit/HloTestHelper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace llvm;
using namespace unravel;

namespace {

using Sizes = std::vector<int64_t>;

/// Writes the instructions of a module, and keeps the shapes.
class Builder {
public:
  explicit Builder(unsigned Seed) : Random(Seed) {}

  struct Array {
    std::string Name;
    Sizes Dimensions;
  };

  int64_t number(int64_t Lo, int64_t Hi) {
    return Lo + int64_t(Random() % uint64_t(Hi - Lo + 1));
  }

  static std::string list(ArrayRef<int64_t> Numbers, StringRef Separator) {
    return join(map_range(Numbers, [](int64_t N) { return std::to_string(N); }),
                Separator);
  }
  static std::string shape(ArrayRef<int64_t> Dimensions) {
    return "s32[" + list(Dimensions, ",") + "]";
  }

  Array add(const Sizes &Dimensions, const Twine &Operation) {
    Array A = {"x" + std::to_string(Count++), Dimensions};
    Text += A.Name + " = " + shape(Dimensions) + " " + Operation.str() + "\n";
    return A;
  }
  Array scalar(int64_t Value) {
    return add({}, "constant(" + Twine(Value) + ")");
  }
  /// An array of numbers that differ.
  Array data(const Sizes &Dimensions) {
    int64_t N = 1;
    for (int64_t D : Dimensions)
      N *= D;
    Array Places = add({N}, "iota(), iota_dimension=0");
    Array Factor = scalar(number(1, 1 << 30) * 2 + 1);
    Array Factors = add({N}, "broadcast(" + Factor.Name + "), dimensions={}");
    Array Products =
        add({N}, "multiply(" + Places.Name + ", " + Factors.Name + ")");
    return add(Dimensions, "reshape(" + Products.Name + ")");
  }
  Array binary(StringRef Opcode, const Array &A, const Array &B) {
    return add(A.Dimensions, Opcode + "(" + A.Name + ", " + B.Name + ")");
  }
  Array zeros(const Sizes &Dimensions) {
    return add(Dimensions, "broadcast(" + scalar(0).Name + "), dimensions={}");
  }
  Array reshape(const Array &A, const Sizes &Dimensions) {
    return add(Dimensions, "reshape(" + A.Name + ")");
  }
  Array concatenate(ArrayRef<Array> Parts, size_t Dimension) {
    Sizes Dimensions = Parts[0].Dimensions;
    std::string Names;
    Dimensions[Dimension] = 0;
    for (const Array &Part : Parts) {
      Dimensions[Dimension] += Part.Dimensions[Dimension];
      Names += (Names.empty() ? "" : ", ") + Part.Name;
    }
    return add(Dimensions, "concatenate(" + Names + "), dimensions={" +
                               Twine(Dimension) + "}");
  }
  /// One dimension of a slice, the others whole.
  Array slice(const Array &A, size_t Dimension, int64_t Start, int64_t Limit,
              int64_t Stride = 1) {
    Sizes Dimensions = A.Dimensions;
    std::string Ranges;
    for (size_t D = 0; D < Dimensions.size(); ++D)
      Ranges += (D == 0 ? "[" : ", [") +
                (D == Dimension
                     ? std::to_string(Start) + ":" + std::to_string(Limit) +
                           ":" + std::to_string(Stride)
                     : "0:" + std::to_string(Dimensions[D])) +
                "]";
    Dimensions[Dimension] = (Limit - Start + Stride - 1) / Stride;
    return add(Dimensions, "slice(" + A.Name + "), slice={" + Ranges + "}");
  }
  /// Pads one dimension with zeros.
  Array pad(const Array &A, size_t Dimension, int64_t Low, int64_t High,
            int64_t Interior) {
    Sizes Dimensions = A.Dimensions;
    std::string Config;
    for (size_t D = 0; D < Dimensions.size(); ++D)
      Config +=
          (D == 0 ? "" : "x") +
          (D == Dimension ? std::to_string(Low) + "_" + std::to_string(High) +
                                "_" + std::to_string(Interior)
                          : "0_0");
    Dimensions[Dimension] +=
        Low + High + (Dimensions[Dimension] - 1) * Interior;
    return add(Dimensions, "pad(" + A.Name + ", " + scalar(0).Name +
                               "), padding=" + Config);
  }

  /// Both arrays have the same elements.
  void expectEqual(const Array &A, const Array &B) {
    std::string Module = "add { a = s32[] parameter(0) b = s32[] parameter(1)\n"
                         "r = s32[] add(a, b) }\nENTRY main {\n" +
                         Text + "ROOT both = (" + shape(A.Dimensions) + ", " +
                         shape(B.Dimensions) + ") tuple(" + A.Name + ", " +
                         B.Name + ") }";
    auto Parsed = parseModule(Module);
    if (Error E = verifyHlo(*Parsed)) {
      ADD_FAILURE() << toString(std::move(E)) << "\nin\n" << Module;
      return;
    }
    Expected<HloLiteral> Value = evaluateHlo(*Parsed, {});
    ASSERT_TRUE(bool(Value)) << toString(Value.takeError());
    EXPECT_EQ(Value->elements()[0].str(), Value->elements()[1].str()) << Module;
  }

private:
  std::mt19937_64 Random;
  std::string Text;
  unsigned Count = 0;
};

using Array = Builder::Array;
constexpr unsigned Rounds = 60;

/// The parameters of one dimension of a window that fits.
struct Window {
  int64_t Size, Stride, Low, High, Base, Dilation, Input, Output;

  Window(Builder &B) {
    Input = B.number(1, 9);
    Base = B.number(1, 3);
    Dilation = B.number(1, 3);
    Stride = B.number(1, 3);
    Size = B.number(1, 4);
    do {
      Low = B.number(-2, 4);
      High = B.number(-2, 4);
    } while (padded() < extent() || padded() <= 0);
    Output = (padded() - extent()) / Stride + 1;
  }
  int64_t padded() const { return (Input - 1) * Base + 1 + Low + High; }
  int64_t extent() const { return (Size - 1) * Dilation + 1; }

  /// `size=...` and so on of several dimensions.
  static std::string text(ArrayRef<Window> Windows) {
    auto Field = [&](StringRef Name, auto Value) {
      return (Name + "=" + join(map_range(Windows, Value), "x") + " ").str();
    };
    auto Str = [](int64_t N) { return std::to_string(N); };
    return Field("size", [&](const Window &W) { return Str(W.Size); }) +
           Field("stride", [&](const Window &W) { return Str(W.Stride); }) +
           Field("pad",
                 [&](const Window &W) {
                   return Str(W.Low) + "_" + Str(W.High);
                 }) +
           Field("lhs_dilate", [&](const Window &W) { return Str(W.Base); }) +
           Field("rhs_dilate",
                 [&](const Window &W) { return Str(W.Dilation); });
  }
};

/// What window element \p W of every output element sees in \p Dimension of the
/// padded array.
Array seenBy(Builder &B, const Array &Padded, size_t Dimension,
             const Window &Window, int64_t W) {
  int64_t Start = W * Window.Dilation;
  return B.slice(Padded, Dimension, Start,
                 Start + (Window.Output - 1) * Window.Stride + 1,
                 Window.Stride);
}

/// A sum of strided slices of the padded operand.
TEST(HloEvaluatorRelations, ReduceWindowByPadAndSlice) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    Window Windows[] = {Window(B), Window(B)};
    Array X = B.data({Windows[0].Input, Windows[1].Input});
    Sizes Outputs = {Windows[0].Output, Windows[1].Output};
    Array Result = B.add(Outputs, "reduce-window(" + X.Name + ", " +
                                      B.scalar(0).Name + "), to_apply=add, " +
                                      "window={" + Window::text(Windows) + "}");
    Array Padded = X;
    for (size_t D : {0, 1})
      Padded = B.pad(Padded, D, Windows[D].Low, Windows[D].High,
                     Windows[D].Base - 1);
    Array Sum = B.zeros(Outputs);
    for (int64_t I = 0; I < Windows[0].Size; ++I)
      for (int64_t J = 0; J < Windows[1].Size; ++J)
        Sum = B.binary(
            "add", Sum,
            seenBy(B, seenBy(B, Padded, 0, Windows[0], I), 1, Windows[1], J));
    B.expectEqual(Result, Sum);
  }
}

/// For each group, a sum of matrix products: what a window element sees, times
/// the kernel's matrix there.
TEST(HloEvaluatorRelations, ConvolutionByPadSliceAndDot) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    Window W(B);
    bool Reversed = B.number(0, 1);
    int64_t FeatureGroups = B.number(0, 1) ? B.number(1, 3) : 1;
    int64_t BatchGroups = FeatureGroups == 1 ? B.number(1, 3) : 1;
    int64_t Batches = B.number(1, 2), Features = B.number(1, 3);
    int64_t Outputs = B.number(1, 2) * FeatureGroups * BatchGroups;
    int64_t Groups = FeatureGroups * BatchGroups; // one of them is 1
    // b0f_i0o->f0b, to have every array in another order
    Array X =
        B.data({Batches * BatchGroups, W.Input, Features * FeatureGroups});
    Array K = B.data({Features, W.Size, Outputs});
    Array Result = B.add(
        {Outputs, W.Output, Batches},
        "convolution(" + X.Name + ", " + K.Name + "), window={" +
            Window::text(W) + "rhs_reversal=" + Twine(int(Reversed)) +
            "}, dim_labels=b0f_i0o->f0b, feature_group_count=" +
            Twine(FeatureGroups) + ", batch_group_count=" + Twine(BatchGroups));

    Array Padded = B.pad(X, 1, W.Low, W.High, W.Base - 1);
    std::vector<Array> Parts;
    for (int64_t G = 0; G < Groups; ++G) {
      int64_t F = FeatureGroups > 1 ? G : 0, Bt = FeatureGroups > 1 ? 0 : G;
      Array GroupX = B.slice(Padded, 2, F * Features, (F + 1) * Features);
      GroupX = B.slice(GroupX, 0, Bt * Batches, (Bt + 1) * Batches);
      int64_t Size = Outputs / Groups;
      Array GroupK = B.slice(K, 2, G * Size, (G + 1) * Size);
      Array Sum = B.zeros({Size, Batches, W.Output});
      for (int64_t I = 0; I < W.Size; ++I) {
        int64_t J = Reversed ? W.Size - 1 - I : I;
        Array Matrix =
            B.reshape(B.slice(GroupK, 1, J, J + 1), {Features, Size});
        Array Seen = seenBy(B, GroupX, 1, W, I);
        Sum = B.binary("add", Sum,
                       B.add({Size, Batches, W.Output},
                             "dot(" + Matrix.Name + ", " + Seen.Name +
                                 "), lhs_contracting_dims={0}, "
                                 "rhs_contracting_dims={2}"));
      }
      Parts.push_back(B.add({Size, W.Output, Batches},
                            "transpose(" + Sum.Name + "), dimensions={0,2,1}"));
    }
    B.expectEqual(Result, B.concatenate(Parts, 0));
  }
}

/// The product of broadcasts, reduced.
TEST(HloEvaluatorRelations, DotByBroadcastAndReduce) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    int64_t Batch = B.number(1, 3), M = B.number(1, 4), N = B.number(1, 4);
    int64_t K0 = B.number(1, 4), K1 = B.number(1, 3);
    Array X = B.data({K0, M, Batch, K1}), Y = B.data({Batch, K1, N, K0});
    Array Result =
        B.add({Batch, M, N}, "dot(" + X.Name + ", " + Y.Name +
                                 "), lhs_batch_dims={2}, rhs_batch_dims={0}, "
                                 "lhs_contracting_dims={0,3}, "
                                 "rhs_contracting_dims={3,1}");
    Sizes All = {Batch, M, N, K0, K1};
    Array WideX = B.add(All, "broadcast(" + X.Name + "), dimensions={3,1,0,4}");
    Array WideY = B.add(All, "broadcast(" + Y.Name + "), dimensions={0,4,2,3}");
    Array Sum =
        B.add({Batch, M, N},
              "reduce(" + B.binary("multiply", WideX, WideY).Name + ", " +
                  B.scalar(0).Name + "), dimensions={3,4}, to_apply=add");
    B.expectEqual(Result, Sum);
  }
}

/// Start vectors as a constant, some of them outside of the operand.
std::vector<Sizes> randomStarts(Builder &B, size_t Count) {
  std::vector<Sizes> Starts;
  for (size_t I = 0; I < Count; ++I)
    Starts.push_back({B.number(-2, 7), B.number(-2, 7)});
  return Starts;
}
Array constantOf(Builder &B, ArrayRef<Sizes> Rows) {
  auto Row = [](const Sizes &Numbers) {
    return "{" + Builder::list(Numbers, ",") + "}";
  };
  return B.add({int64_t(Rows.size()), int64_t(Rows[0].size())},
               "constant({" + join(map_range(Rows, Row), ",") + "})");
}

/// One dynamic-slice for each start vector, end to end.
TEST(HloEvaluatorRelations, GatherByDynamicSlices) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    Sizes Operand = {B.number(1, 5), B.number(1, 5)};
    Sizes Slice = {B.number(1, Operand[0]), B.number(1, Operand[1])};
    std::vector<Sizes> Starts = randomStarts(B, B.number(1, 5));
    bool Swapped = B.number(0, 1); // the vectors name dimension 1 first
    Array X = B.data(Operand);
    Array Result = B.add(
        {Slice[0], int64_t(Starts.size()), Slice[1]},
        "gather(" + X.Name + ", " + constantOf(B, Starts).Name +
            "), offset_dims={0,2}, collapsed_slice_dims={}, start_index_map={" +
            (Swapped ? "1,0" : "0,1") + "}, index_vector_dim=1, slice_sizes={" +
            Builder::list(Slice, ",") + "}");
    std::vector<Array> Parts;
    for (const Sizes &Start : Starts) {
      Array Part = B.add(Slice, "dynamic-slice(" + X.Name + ", " +
                                    B.scalar(Start[Swapped]).Name + ", " +
                                    B.scalar(Start[!Swapped]).Name +
                                    "), dynamic_slice_sizes={" +
                                    Builder::list(Slice, ",") + "}");
      Parts.push_back(B.reshape(Part, {Slice[0], 1, Slice[1]}));
    }
    B.expectEqual(Result, B.concatenate(Parts, 1));
  }
}

/// One dynamic-update-slice for each window that is inside, in order.
TEST(HloEvaluatorRelations, ScatterByDynamicUpdateSlices) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    Sizes Operand = {B.number(1, 5), B.number(1, 5)};
    Sizes Slice = {B.number(1, Operand[0]), B.number(1, Operand[1])};
    std::vector<Sizes> Starts = randomStarts(B, B.number(1, 8));
    int64_t Count = Starts.size();
    bool Swapped = B.number(0, 1);
    Array X = B.data(Operand);
    Array Updates = B.data({Slice[0], Count, Slice[1]});
    Array Result = B.add(
        Operand, "scatter(" + X.Name + ", " + constantOf(B, Starts).Name +
                     ", " + Updates.Name +
                     "), update_window_dims={0,2}, inserted_window_dims={}, "
                     "scatter_dims_to_operand_dims={" +
                     (Swapped ? "1,0" : "0,1") +
                     "}, index_vector_dim=1, to_apply=add");
    for (int64_t I = 0; I < Count; ++I) {
      int64_t Row = Starts[I][Swapped], Column = Starts[I][!Swapped];
      if (Row < 0 || Row > Operand[0] - Slice[0] || Column < 0 ||
          Column > Operand[1] - Slice[1])
        continue;
      Array Update = B.reshape(B.slice(Updates, 1, I, I + 1), Slice);
      std::string Place =
          ", " + B.scalar(Row).Name + ", " + B.scalar(Column).Name + ")";
      Array Old = B.add(Slice, "dynamic-slice(" + X.Name + Place +
                                   ", dynamic_slice_sizes={" +
                                   Builder::list(Slice, ",") + "}");
      Array New = B.binary("add", Old, Update);
      X = B.add(Operand,
                "dynamic-update-slice(" + X.Name + ", " + New.Name + Place);
    }
    B.expectEqual(Result, X);
  }
}

/// Rotating by slices and concatenate is gathering by (i + k) mod n.
TEST(HloEvaluatorRelations, ConcatenateByGather) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    int64_t N = B.number(2, 9), K = B.number(1, N - 1);
    Array X = B.data({N});
    std::vector<Sizes> Places;
    for (int64_t I = 0; I < N; ++I)
      Places.push_back({(I + K) % N});
    Array Gathered =
        B.add({N}, "gather(" + X.Name + ", " + constantOf(B, Places).Name +
                       "), offset_dims={}, "
                       "collapsed_slice_dims={0}, "
                       "start_index_map={0}, index_vector_dim=1, "
                       "slice_sizes={1}");
    B.expectEqual(B.concatenate({B.slice(X, 0, K, N), B.slice(X, 0, 0, K)}, 0),
                  Gathered);
  }
}

/// What a reshape does to a transposed array is what a gather of places
/// computed by division does; the places are written out here.
TEST(HloEvaluatorRelations, ReshapeOfTransposeByGather) {
  for (unsigned Seed = 0; Seed < Rounds; ++Seed) {
    Builder B(Seed);
    int64_t A = B.number(1, 6), C = B.number(1, 6), D = B.number(1, 4);
    Array X = B.data({A, C, D});
    Array Turned =
        B.add({D, A, C}, "transpose(" + X.Name + "), dimensions={2,0,1}");
    Array Flat = B.reshape(Turned, {D * A * C});
    std::vector<Sizes> Places;
    for (int64_t I = 0; I < A * C * D; ++I)
      Places.push_back({I / C % A, I % C, I / (A * C)});
    Array Gathered = B.add(
        {A * C * D}, "gather(" + X.Name + ", " + constantOf(B, Places).Name +
                         "), offset_dims={}, "
                         "collapsed_slice_dims={0,1,2}, "
                         "start_index_map={0,1,2}, index_vector_dim=1, "
                         "slice_sizes={1,1,1}");
    B.expectEqual(Flat, Gathered);
  }
}

} // namespace
