//===- Session.cpp - The buffers and kernels of one case ------------------===//

#include "Session.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

using namespace unravel::gpu;

// What a kernel leaves unwritten shows as a difference only if it is no value
// that the kernel would write.
static constexpr unsigned char Unwritten = 0xa5;

// helpers.cu expects these blocks; kernels with a loop take any grid.
static constexpr Dim HelperBlock = {256, 1, 1};
static constexpr Dim ManyBlocks = {2048, 1, 1};

Buffer::Buffer(size_t Bytes) : Bytes(Bytes) {
  // No buffer is empty: kernels without elements get an address as well.
  UNRAVEL_CUDA(cuMemAlloc, &Address, std::max<size_t>(Bytes, 16));
}

Buffer::~Buffer() { driver().cuMemFree_v2Call(Address); }

Kernel::Kernel(const std::string &File, const std::string &Symbol) {
  UNRAVEL_CUDA(cuModuleLoad, &Module, File.c_str());
  CUresult Found =
      driver().cuModuleGetFunctionCall(&Function, Module, Symbol.c_str());
  if (Found == CUDA_SUCCESS)
    return;
  driver().cuModuleUnloadCall(Module);
  check(Found, ("cuModuleGetFunction(" + Symbol + ")").c_str());
}

Kernel::~Kernel() { driver().cuModuleUnloadCall(Module); }

void Kernel::launch(Dim Grid, Dim Block, size_t Shared,
                    void **Parameters) const {
  UNRAVEL_CUDA(cuLaunchKernel, Function, Grid[0], Grid[1], Grid[2], Block[0],
               Block[1], Block[2], unsigned(Shared), nullptr, Parameters,
               nullptr);
}

void Kernel::allowShared(size_t Bytes) const {
  UNRAVEL_CUDA(cuFuncSetAttribute, Function,
               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(Bytes));
}

int Kernel::registers() const {
  int Count = 0;
  UNRAVEL_CUDA(cuFuncGetAttribute, &Count, CU_FUNC_ATTRIBUTE_NUM_REGS,
               Function);
  return Count;
}

double Kernel::occupancy(Dim Block, size_t Shared) const {
  CUdevice Device = 0;
  int Blocks = 0, Threads = int(Block[0] * Block[1] * Block[2]), Most = 0;
  UNRAVEL_CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor, &Blocks, Function,
               Threads, Shared);
  UNRAVEL_CUDA(cuDeviceGet, &Device, 0);
  UNRAVEL_CUDA(cuDeviceGetAttribute, &Most,
               CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, Device);
  return double(Blocks) * Threads / Most;
}

Helpers::Helpers(const std::string &Cubin)
    : Copy(Cubin, "copy"), Spin(Cubin, "spin"),
      Differences(Cubin, "differences"), Found(2 * sizeof(unsigned long long)) {
  for (const char *Type :
       {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"})
    Fills.try_emplace(Type, Cubin, std::string("fill_") + Type);
}

void Helpers::fill(const Argument &A, const Buffer &To, unsigned Seed) const {
  CUdeviceptr Address = To.Address;
  unsigned long long Count = A.Count;
  double Low = A.Low, High = A.High;
  void *Parameters[] = {&Address, &Count, &Low, &High, &Seed};
  Fills.at(A.Type).launch(ManyBlocks, HelperBlock, 0, Parameters);
}

void Helpers::copy(const Buffer &From, const Buffer &To, size_t Bytes) const {
  constexpr size_t BytesAThread = 16;
  CUdeviceptr In = From.Address, Out = To.Address;
  unsigned long long Count = Bytes / BytesAThread;
  size_t Blocks = (Count + HelperBlock[0] - 1) / HelperBlock[0];
  void *Parameters[] = {&In, &Out, &Count};
  Copy.launch({unsigned(std::max<size_t>(Blocks, 1)), 1, 1}, HelperBlock, 0,
              Parameters);
}

void Helpers::spin(long long Clocks) const {
  void *Parameters[] = {&Clocks};
  Spin.launch({1, 1, 1}, {1, 1, 1}, 0, Parameters);
}

Helpers::Difference Helpers::compare(const Buffer &A, const Buffer &B,
                                     bool AreFloats) const {
  CUdeviceptr First = A.Address, Second = B.Address, To = Found.Address;
  unsigned long long Bytes = A.Bytes, Words[2];
  int Floats = AreFloats;
  void *Parameters[] = {&First, &Second, &Bytes, &Floats, &To};
  UNRAVEL_CUDA(cuMemsetD8, To, 0, sizeof(Words));
  Differences.launch(ManyBlocks, HelperBlock, 0, Parameters);
  UNRAVEL_CUDA(cuMemcpyDtoH, Words, To, sizeof(Words));
  Difference Result{Words[0], 0};
  uint32_t Bits = uint32_t(Words[1]);
  std::memcpy(&Result.Relative, &Bits, sizeof(Bits));
  return Result;
}

Arguments::Arguments(const Case &C, const Helpers &Use) : C(C), Use(Use) {
  for (const Argument &A : C.Arguments) {
    if (!A.isBuffer()) {
      Buffers.push_back(nullptr);
      Parameters.push_back(const_cast<std::byte *>(A.Bytes.data()));
      continue;
    }
    Buffers.push_back(std::make_unique<Buffer>(A.bytes()));
    Parameters.push_back(&Buffers.back()->Address);
    if (A.How == Argument::Kind::Values || A.How == Argument::Kind::Steps) {
      std::vector<std::byte> All = contentOf(A);
      UNRAVEL_CUDA(cuMemcpyHtoD, Buffers.back()->Address, All.data(),
                   All.size());
    } else if (A.How == Argument::Kind::In) {
      Use.fill(A, *Buffers.back(), unsigned(Buffers.size()));
    }
  }
  reset();
}

void Arguments::reset() {
  for (size_t I = 0; I < Buffers.size(); ++I) {
    const Argument &A = C.Arguments[I];
    if (A.How == Argument::Kind::Out && A.bytes())
      UNRAVEL_CUDA(cuMemsetD8, Buffers[I]->Address, Unwritten, A.bytes());
    else if (A.How == Argument::Kind::InOut)
      Use.fill(A, *Buffers[I], unsigned(I) + 1);
  }
}

std::vector<std::unique_ptr<Buffer>> Arguments::outputs() const {
  std::vector<std::unique_ptr<Buffer>> Result;
  for (size_t I = 0; I < Buffers.size(); ++I) {
    const Argument &A = C.Arguments[I];
    if (!A.isWritten())
      continue;
    Result.push_back(std::make_unique<Buffer>(A.bytes()));
    UNRAVEL_CUDA(cuMemcpyDtoD, Result.back()->Address, Buffers[I]->Address,
                 A.bytes());
  }
  return Result;
}

Helpers::Difference
Arguments::compare(const std::vector<std::unique_ptr<Buffer>> &Wanted) const {
  Helpers::Difference Result;
  auto At = Wanted.begin();
  for (size_t I = 0; I < Buffers.size(); ++I) {
    const Argument &A = C.Arguments[I];
    if (!A.isWritten())
      continue;
    Helpers::Difference Found =
        Use.compare(*Buffers[I], **At++, A.Type == "f32");
    Result.Bytes += Found.Bytes;
    Result.Relative = std::max(Result.Relative, Found.Relative);
  }
  return Result;
}
