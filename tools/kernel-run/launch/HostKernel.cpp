//===- HostKernel.cpp - A GPU kernel as code of this CPU
//-------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/HostKernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <cstring>

using namespace llvm;
using namespace unravel;

// 1. Compilation.

/// The numbers of an attribute like "nvvm.reqntid"="128,1,1".
static SmallVector<uint64_t, 3> readNumbers(const Function &F, StringRef Name) {
  SmallVector<StringRef, 3> Parts;
  SmallVector<uint64_t, 3> Numbers;
  F.getFnAttribute(Name).getValueAsString().split(Parts, ',', -1, false);
  for (StringRef Part : Parts)
    if (Part.trim().getAsInteger(10, Numbers.emplace_back(0)))
      return {};
  return Numbers;
}

static HostKernel::Parameter describeParameter(const Argument &A) {
  Type *T = A.getType();
  bool IsPointer = T->isPointerTy();
  HostKernel::Parameter P = {
      A.getName().str(),
      IsPointer,
      T->isIntegerTy(64) && A.getParent()->hasFnAttribute(LiftedAttribute),
      T->isFloatingPointTy(),
      IsPointer ? 64 : unsigned(T->getPrimitiveSizeInBits()),
      IsPointer ? A.getParamAlign().valueOrOne().value() : 1,
      std::nullopt};
  if (A.hasByValAttr())
    P.ByValueBytes =
        A.getParent()->getDataLayout().getTypeAllocSize(A.getParamByValType());
  return P;
}

static Expected<std::unique_ptr<orc::LLJIT>> makeJIT(std::string &Report) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> Target =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Target)
    return Target.takeError();
  Target->setCodeGenOptLevel(CodeGenOptLevel::Default);
  // A product and a sum stay apart, wherever they stand; what must not be
  // reached is noticed.
  Target->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  Target->getOptions().TrapUnreachable = true;
  Expected<std::unique_ptr<orc::LLJIT>> JIT =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*Target))
          .create();
  if (!JIT)
    return JIT;
  (*JIT)->getExecutionSession().setErrorReporter(
      [&Report](Error E) { Report += toString(std::move(E)); });
  return JIT;
}

Expected<HostKernel> HostKernel::compile(std::shared_ptr<Module> Source,
                                         Function &Kernel,
                                         orc::ThreadSafeContext Context,
                                         VariableMemory &Memory,
                                         bool IsTraced) {
  HostKernel Result;
  Result.Name = Kernel.getName().str();
  Result.Context = Context;
  Result.Source = std::move(Source);
  Result.Kernel = &Kernel;
  for (const Argument &A : Kernel.args())
    Result.Parameters.push_back(describeParameter(A));
  Result.RequiredBlock = readNumbers(Kernel, "nvvm.reqntid");
  for (auto [Extent, N] :
       zip(Result.Cluster, readNumbers(Kernel, "nvvm.cluster_dim")))
    if (N > 0 && isUInt<32>(N))
      Extent = N;
  SmallVector<uint64_t, 3> Max = readNumbers(Kernel, "nvvm.maxntid");
  if (!Max.empty()) {
    Result.MaxThreads = 1;
    for (uint64_t N : Max)
      Result.MaxThreads = SaturatingMultiply(Result.MaxThreads, N);
  }

  std::string Report;
  Expected<std::unique_ptr<orc::LLJIT>> JIT = makeJIT(Report);
  if (!JIT)
    return JIT.takeError();
  Expected<HostModule> Host =
      makeHostModule(Kernel, (*JIT)->getTargetTriple(), (*JIT)->getDataLayout(),
                     Memory, IsTraced);
  if (!Host)
    return Host.takeError();
  if (Error E = (*JIT)->addIRModule(
          orc::ThreadSafeModule(std::move(Host->IR), Context)))
    return E;
  auto Find = [&](StringRef Symbol) -> Expected<orc::ExecutorAddr> {
    Expected<orc::ExecutorAddr> Address = (*JIT)->lookup(Symbol);
    if (Address)
      return Address;
    std::string Message = toString(Address.takeError());
    return createStringError("cannot compile " + Result.Name + ": " +
                             (Report.empty() ? Message : Report));
  };
  Expected<orc::ExecutorAddr> Thread = Find(ThreadFunctionName);
  if (!Thread)
    return Thread.takeError();
  Result.Thread = Thread->toPtr<BlockScheduler::ThreadFunction>();
  for (const ModuleVariable &V : Host->Variables) {
    if (V.Image.empty()) {
      Result.Images.push_back(nullptr);
      continue;
    }
    Expected<orc::ExecutorAddr> Image = Find(V.Image);
    if (!Image)
      return Image.takeError();
    Result.Images.push_back(Image->toPtr<const void *>());
  }
  // The string that the reporter writes to ends here.
  (*JIT)->getExecutionSession().setErrorReporter(
      [](Error E) { consumeError(std::move(E)); });
  Result.JIT = std::move(*JIT);
  Result.Instructions = std::move(Host->Instructions);
  Result.Counters = std::move(Host->Counters);
  Result.Variables = std::move(Host->Variables);
  Result.StaticSharedBytes = Host->StaticSharedBytes;
  Result.DynamicSharedAddress = Memory.dynamicShared();
  Result.UsesDynamicShared = Host->UsesDynamicShared;
  Result.MayWait = Host->MayWait;
  return Result;
}

void HostKernel::resetVariables() const {
  for (auto [V, Image] : zip_equal(Variables, Images))
    if (Image)
      std::memcpy(reinterpret_cast<void *>(V.Region.Begin), Image,
                  V.Region.Size);
}

// 2. Launches.

Error HostKernel::checkLaunch(const KernelLaunch &Launch) const {
  auto Fail = [&](const Twine &Message) {
    return createStringError(Name + ": " + Message);
  };
  if (Error E = checkShape(Launch.Shape))
    return Fail(toString(std::move(E)));
  if (Launch.Arguments.size() != Parameters.size())
    return Fail("the kernel has " + Twine(Parameters.size()) +
                " parameters, the launch gives " +
                Twine(Launch.Arguments.size()));
  for (unsigned I = 0; I != Parameters.size(); ++I) {
    const KernelArgument &A = Launch.Arguments[I];
    const Parameter &P = Parameters[I];
    if (P.MayBeAddress && A.isBuffer())
      continue;
    if (P.IsPointer != A.isBuffer())
      return Fail("parameter " + Twine(I) + " is a " +
                  (P.IsPointer ? "pointer" : "number") +
                  ", the launch gives a " +
                  (P.IsPointer ? "number" : "buffer"));
    if (P.ByValueBytes && *P.ByValueBytes != A.sizeInBytes())
      return Fail("parameter " + Twine(I) + " is a struct of " +
                  Twine(*P.ByValueBytes) + " bytes, the launch gives " +
                  Twine(A.sizeInBytes()));
    if (P.IsPointer) {
      if (A.Align < P.Align)
        return Fail("parameter " + Twine(I) + " is aligned to " +
                    Twine(P.Align) + " bytes, the launch's buffer to " +
                    Twine(A.Align));
      continue;
    }
    // A bool takes a byte.
    if (P.IsFloat != isFloat(A.Type) ||
        std::max(P.Bits, 8u) != 8 * elementSize(A.Type))
      return Fail("parameter " + Twine(I) + " is a" +
                  (P.IsFloat ? " floating-point number" : "n integer") +
                  " of " + Twine(P.Bits) + " bits, the launch gives " +
                  elementName(A.Type));
  }
  // A GPU refuses the launch whether or not the kernel uses the memory.
  if (Launch.SharedBytes > MaxSharedBytes - StaticSharedBytes)
    return Fail(Twine(StaticSharedBytes) + " bytes of static and " +
                Twine(Launch.SharedBytes) +
                " of dynamic shared memory are more than the " +
                Twine(MaxSharedBytes) + " that a block has");
  for (unsigned I = 0; I != std::min<size_t>(3, RequiredBlock.size()); ++I)
    if (Launch.Shape.Block[I] != RequiredBlock[I])
      return Fail(
          "the kernel is compiled for blocks of " +
          join(map_range(RequiredBlock, [](unsigned N) { return utostr(N); }),
               ",") +
          " threads: --block has to give these");
  for (auto [Blocks, Extent] : zip(Launch.Shape.Grid, Cluster))
    if (Blocks % Extent != 0)
      return Fail("the grid is not made of whole clusters of " +
                  Twine(Cluster[0]) + "," + Twine(Cluster[1]) + "," +
                  Twine(Cluster[2]) + " blocks (nvvm.cluster_dim)");
  if (MaxThreads && Launch.Shape.threadsPerBlock() > MaxThreads)
    return Fail("the kernel is compiled for at most " + Twine(MaxThreads) +
                " threads a block (nvvm.maxntid)");
  return Error::success();
}
