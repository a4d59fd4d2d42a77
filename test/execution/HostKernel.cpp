//===- HostKernel.cpp - Running a GPU kernel on this CPU ------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostKernel.h"
#include "HostIntrinsics.h"
#include "HostModule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <csignal>

using namespace llvm;
using namespace unravel;

// 1. Files.

Expected<KernelModule> KernelModule::read(StringRef Path) {
  KernelModule Result;
  Result.Path = Path.str();
  Result.Context = orc::ThreadSafeContext(std::make_unique<LLVMContext>());
  SMDiagnostic Diagnostic;
  Result.Source = Result.Context.withContextDo(
      [&](LLVMContext *C) { return parseIRFile(Path, Diagnostic, *C); });
  if (!Result.Source) {
    std::string Place = Path.str();
    if (Diagnostic.getLineNo() > 0)
      Place += formatv(":{0}:{1}", Diagnostic.getLineNo(),
                       Diagnostic.getColumnNo() + 1);
    return createStringError(Place + ": " + Diagnostic.getMessage());
  }
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(*Result.Source, &Stream))
    return createStringError(Path + ": the module does not verify: " +
                             StringRef(Message).split('\n').first);
  if (!Result.Source->getTargetTriple().isNVPTX())
    return createStringError(Path + ": the module is not for nvptx");
  StripDebugInfo(*Result.Source);
  return Result;
}

bool KernelModule::hasKernel(StringRef Name) const {
  const Function *F = Source->getFunction(Name);
  return F && !F->isDeclaration() && !F->isVarArg();
}

// 2. Compilation.

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

static HostKernel::Parameter describe(const Argument &A) {
  Type *T = A.getType();
  bool IsPointer = T->isPointerTy();
  return {IsPointer, T->isFloatingPointTy(),
          IsPointer ? 64 : unsigned(T->getPrimitiveSizeInBits()),
          IsPointer ? A.getParamAlign().valueOrOne().value() : 1};
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
  orc::SymbolMap Symbols;
  for (auto [Name, Address] : HostIntrinsics::helpers())
    Symbols[(*JIT)->mangleAndIntern(Name)] = {
        orc::ExecutorAddr::fromPtr(Address), JITSymbolFlags::Exported};
  if (Error E = (*JIT)->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(Symbols))))
    return E;
  return JIT;
}

Expected<HostKernel> KernelModule::compile(StringRef Name) const {
  if (!hasKernel(Name))
    return createStringError(Path + " defines no kernel " + Name);
  Function &Kernel = *Source->getFunction(Name);
  HostKernel Result;
  Result.Name = Name.str();
  for (const Argument &A : Kernel.args())
    Result.Parameters.push_back(describe(A));
  Result.RequiredBlock = readNumbers(Kernel, "nvvm.reqntid");
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
  Expected<std::unique_ptr<Module>> Host = makeHostModule(
      Kernel, (*JIT)->getTargetTriple(), (*JIT)->getDataLayout());
  if (!Host)
    return createStringError(Path + ": " + toString(Host.takeError()));
  std::array<std::string, 7> Names = {
      "unravel.ctaid.x", "unravel.ctaid.y", "unravel.ctaid.z", "unravel.tid.x",
      "unravel.tid.y",   "unravel.tid.z",   DriverName.str()};
  if (Error E =
          (*JIT)->addIRModule(orc::ThreadSafeModule(std::move(*Host), Context)))
    return E;
  for (unsigned I = 0; I != Names.size(); ++I) {
    Expected<orc::ExecutorAddr> Address = (*JIT)->lookup(Names[I]);
    if (!Address) {
      std::string Message = toString(Address.takeError());
      return createStringError(Path + ": cannot compile " + Name + ": " +
                               (Report.empty() ? Message : Report));
    }
    if (I < Result.Position.size())
      Result.Position[I] = Address->toPtr<const uint32_t *>();
    else
      Result.Driver = Address->toPtr<decltype(Result.Driver)>();
  }
  // The string that the reporter writes to ends here.
  (*JIT)->getExecutionSession().setErrorReporter(
      [](Error E) { consumeError(std::move(E)); });
  Result.JIT = std::move(*JIT);
  return Result;
}

// 3. Runs.

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
    if (P.IsPointer != A.isBuffer())
      return Fail("parameter " + Twine(I) + " is a " +
                  (P.IsPointer ? "pointer" : "number") +
                  ", the launch gives a " +
                  (P.IsPointer ? "number" : "buffer"));
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
  for (unsigned I = 0; I != std::min<size_t>(3, RequiredBlock.size()); ++I)
    if (Launch.Shape.Block[I] != RequiredBlock[I])
      return Fail("the kernel is compiled for another block (nvvm.reqntid)");
  if (MaxThreads && Launch.Shape.threadsPerBlock() > MaxThreads)
    return Fail("the kernel is compiled for at most " + Twine(MaxThreads) +
                " threads a block (nvvm.maxntid)");
  return Error::success();
}

std::string HostKernel::currentThread() const {
  const auto &P = Position;
  return formatv("thread ({0}, {1}, {2}) of block ({3}, {4}, {5})",
                 uint32_t(*P[3]), uint32_t(*P[4]), uint32_t(*P[5]),
                 uint32_t(*P[0]), uint32_t(*P[1]), uint32_t(*P[2]));
}

static std::string crashName(int ReturnCode) {
  switch (ReturnCode - 128) {
  case SIGSEGV:
  case SIGBUS:
    return "accessed memory that is not there";
  case SIGFPE:
    return "divided by zero, or its quotient overflowed";
  case SIGILL:
  case SIGTRAP:
    return "reached a trap or unreachable code";
  default:
    return "crashed";
  }
}

Error HostKernel::run(const LaunchShape &Shape,
                      ArrayRef<void *> Arguments) const {
  uint32_t Extents[6];
  std::copy(Shape.Grid.begin(), Shape.Grid.end(), Extents);
  std::copy(Shape.Block.begin(), Shape.Block.end(), Extents + 3);
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Recovery;
  if (Recovery.RunSafely([&] { Driver(Arguments.data(), Extents); }))
    return Error::success();
  return createStringError(currentThread() + " " + crashName(Recovery.RetCode));
}
