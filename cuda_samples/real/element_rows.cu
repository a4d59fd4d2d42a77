// Rows and columns of a matrix by one-based remainders, with a correction where
// the remainder is zero, as code that was translated from a language with
// one-based arrays has it. The sizes are in a struct that is passed by value;
// one block walks over the elements.
//
// A perfect simplifier finds row = e % rows and column = e / rows, for elements
// that are not negative: one division, no branch.

#include "../check.h"

constexpr int kThreads = 512;

struct Sizes {
  int Elements, Rows, Columns;
};

extern "C" __global__ void element_rows(const float *in, const int *row_of,
                                        const int *column_of, float *out,
                                        Sizes sizes) {
  int e = threadIdx.x;
  while (e < sizes.Elements) {
    int row = (e + 1) % sizes.Rows - 1;
    int column = (e + 1) / sizes.Rows + 1 - 1;
    if ((e + 1) % sizes.Rows == 0) {
      row = sizes.Rows - 1;
      column = column - 1;
    }
    out[e] = in[column_of[column] * sizes.Rows + row_of[row]];
    e += kThreads;
  }
}

extern "C" __global__ void element_rows_ideal(const float *in,
                                              const int *row_of,
                                              const int *column_of, float *out,
                                              Sizes sizes) {
  for (unsigned e = threadIdx.x; e < unsigned(sizes.Elements); e += kThreads) {
    unsigned column = e / unsigned(sizes.Rows);
    unsigned row = e - column * sizes.Rows;
    out[e] = in[column_of[column] * sizes.Rows + row_of[row]];
  }
}

int main() {
  const int Rows = 37, Columns = 31;
  std::vector<float> In = makeInput<float>(Rows * Columns, 1), Want;
  std::vector<int> RowOf, ColumnOf;
  for (int R = 0; R < Rows; ++R)
    RowOf.push_back(R * 5 % Rows);
  for (int C = 0; C < Columns; ++C)
    ColumnOf.push_back(C * 7 % Columns);
  for (int C = 0; C < Columns; ++C)
    for (int R = 0; R < Rows; ++R)
      Want.push_back(In[ColumnOf[C] * Rows + RowOf[R]]);

  DeviceBuffer<float> DIn(In), DOut(Want.size());
  DeviceBuffer<int> DRowOf(RowOf), DColumnOf(ColumnOf);
  for (auto *Kernel : {element_rows, element_rows_ideal}) {
    Kernel<<<1, kThreads>>>(DIn.get(), DRowOf.get(), DColumnOf.get(),
                            DOut.get(), Sizes{Rows * Columns, Rows, Columns});
    expectOutput("element_rows", DOut, Want);
  }
  std::puts("element_rows: OK");
}
