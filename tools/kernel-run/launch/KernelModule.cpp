//===- KernelModule.cpp - A file of NVVM IR or PTX ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/launch/KernelModule.h"
#include "analysis/facts/DeviceCode.h"
#include "analysis/facts/KernelNames.h"
#include "ptx/backend/AnalysisManagers.h"
#include "ptx/lift/KernelLifter.h"
#include "ptx/raise/RaiseAddresses.h"
#include "ptx/text/PtxParser.h"
#include "ptx/text/SourcePlaces.h"
#include "tools/files/OutputFile.h"
#include "tools/kernel-run/assembly/ExpandAssembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace unravel;

static Error verify(const Module &M, StringRef Label) {
  std::string Message;
  raw_string_ostream Stream(Message);
  if (verifyModule(M, &Stream))
    return createStringError(Label + ": the module does not verify: " +
                             StringRef(Message).split('\n').first);
  return Error::success();
}

/// Of a file that is no IR, how IR is made of it; empty if that is not known.
static std::string howToCompile(StringRef Path) {
  if (sys::path::extension(Path) != ".cu")
    return "";
  SmallString<128> Output(sys::path::filename(Path));
  sys::path::replace_extension(Output, ".ll");
  return (Path +
          ": this is CUDA, and kernel-run reads LLVM IR; compile it: "
          "clang++-" +
          Twine(LLVM_VERSION_MAJOR) + " -x cuda " + Path +
          " --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -S -emit-llvm -o " +
          Output)
      .str();
}

Expected<KernelModule> KernelModule::read(StringRef Path) {
  if (Error E = checkInput(Path))
    return E;
  if (Path.ends_with(".ptx")) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
    if (!Text)
      return createStringError(Path + ": " + Text.getError().message());
    return parsePtx(**Text);
  }
  if (std::string How = howToCompile(Path); !How.empty())
    return createStringError(How);
  return parse(Path, [&](SMDiagnostic &Diagnostic, LLVMContext &C) {
    return parseIRFile(Path, Diagnostic, C);
  });
}

Expected<KernelModule> KernelModule::parse(MemoryBufferRef Buffer) {
  return parse(Buffer.getBufferIdentifier(),
               [&](SMDiagnostic &Diagnostic, LLVMContext &C) {
                 return parseIR(Buffer, Diagnostic, C);
               });
}

Expected<KernelModule> KernelModule::parse(
    StringRef Label,
    function_ref<std::unique_ptr<Module>(SMDiagnostic &, LLVMContext &)>
        Parse) {
  KernelModule Result;
  Result.Label = Label.str();
  Result.Context = orc::ThreadSafeContext(std::make_unique<LLVMContext>());
  SMDiagnostic Diagnostic;
  Result.Source = Result.Context.withContextDo(
      [&](LLVMContext *C) { return Parse(Diagnostic, *C); });
  if (!Result.Source) {
    std::string Place = Label.str();
    if (Diagnostic.getLineNo() > 0)
      Place += formatv(":{0}:{1}", Diagnostic.getLineNo(),
                       Diagnostic.getColumnNo() + 1);
    return createStringError(Place + ": " + Diagnostic.getMessage());
  }
  if (Error E = verify(*Result.Source, Label))
    return E;
  completeTriple(*Result.Source);
  if (!Result.Source->getTargetTriple().isNVPTX())
    return createStringError(Label + ": the module is not for nvptx");
  Result.makeExecutable();
  return Result;
}

/// Lifted kernels declare the variables of their module. Shared ones have no
/// values, so that a declaration says all. One without a size is what a launch
/// adds.
static void defineShared(Module &M) {
  for (GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == unsigned(MemorySpace::Shared) &&
        V.isDeclaration() &&
        M.getDataLayout().getTypeAllocSize(V.getValueType()) > 0) {
      V.setInitializer(PoisonValue::get(V.getValueType()));
      V.setLinkage(GlobalValue::LinkOnceODRLinkage);
    }
}

/// Gives instructions the places that reports name: lines of the source where
/// `.loc` directives say them, otherwise lines of the PTX.
static void setPlaces(ptx::LiftedKernel &Lifted,
                      const ptx::SourcePlaces &Source) {
  for (BasicBlock &BB : *Lifted.Kernel)
    for (Instruction &I : BB)
      // (Line 0 is of code that belongs to no line.)
      if (const DILocation *At = I.getDebugLoc(); At && At->getLine() > 0) {
        ptx::SourcePlace Place =
            Source.placeOf(Lifted.Places[At->getLine() - 1]);
        LLVMContext &C = I.getContext();
        DIScope *Scope = DILexicalBlockFile::get(
            C, At->getScope(),
            DIFile::get(C, sys::path::filename(Place.File),
                        sys::path::parent_path(Place.File)),
            /*Discriminator=*/0);
        I.setDebugLoc(DILocation::get(C, Place.Line, Place.Column, Scope));
      }
}

Expected<KernelModule> KernelModule::parsePtx(MemoryBufferRef Buffer) {
  KernelModule Result;
  Result.Label = Buffer.getBufferIdentifier().str();
  Result.Context = orc::ThreadSafeContext(std::make_unique<LLVMContext>());
  Expected<ptx::Module> M = ptx::parseModule(Buffer.getBuffer(), Result.Label);
  if (!M)
    return M.takeError();
  ptx::SourcePlaces Places(*M, Result.Label);
  Error Failure = Result.Context.withContextDo([&](LLVMContext *C) -> Error {
    for (const ptx::Item &I : M->Items) {
      auto *F = I.as<ptx::Function>();
      if (!F || !F->HasBody || !F->IsKernel)
        continue;
      Expected<ptx::LiftedKernel> Lifted = ptx::liftKernel(*M, *F, *C);
      if (!Lifted) {
        Result.NotLifted[F->Name.str()] = toString(Lifted.takeError());
        continue;
      }
      ptx::raiseAddresses(*Lifted->Kernel);
      defineShared(*Lifted->IR);
      Lifted->Kernel->addFnAttr(LiftedAttribute);
      setPlaces(*Lifted, Places);
      if (!Result.Source) {
        Result.Source = std::move(Lifted->IR);
        continue;
      }
      // Only addresses in shared memory have another width, and each use of
      // them says which.
      Lifted->IR->setDataLayout(Result.Source->getDataLayout());
      if (Linker::linkModules(*Result.Source, std::move(Lifted->IR)))
        return createStringError(Result.Label + ": the kernel " + F->Name +
                                 " cannot be in one module with the others");
    }
    if (!Result.Source)
      return createStringError(Result.Label + ": " +
                               (Result.NotLifted.empty()
                                    ? "the module has no kernel"
                                    : "no kernel is understood: " +
                                          Result.NotLifted.begin()->second));
    return verify(*Result.Source, Result.Label);
  });
  if (Failure)
    return Failure;
  Result.makeExecutable();
  return Result;
}

void KernelModule::makeExecutable() {
  Executable = Source;
  if (!hasAssembly(*Source))
    return;
  Context.withContextDo([&](LLVMContext *) {
    Executable = CloneModule(*Source);
    expandAssembly(*Executable);
  });
}

static bool canRun(const Function &F) {
  return !F.isDeclaration() && !F.isVarArg();
}

std::vector<std::string> KernelModule::kernels() const {
  std::vector<std::string> Marked, All;
  for (const Function &F : *Source) {
    if (!canRun(F))
      continue;
    All.push_back(F.getName().str());
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      Marked.push_back(F.getName().str());
  }
  return Marked.empty() ? All : Marked;
}

Expected<std::string> KernelModule::find(StringRef Name) const {
  if (const Function *F = Source->getFunction(Name); F && canRun(*F))
    return Name.str();
  if (auto Why = NotLifted.find(Name); Why != NotLifted.end())
    return createStringError(Label + ": the kernel " + Name +
                             " is not understood: " + Why->second);
  std::vector<std::string> Meant;
  for (const Function &F : *Source)
    if (canRun(F) && isNameOf(Name, F.getName()))
      Meant.push_back(F.getName().str());
  if (Meant.size() == 1)
    return Meant.front();
  if (!Meant.empty())
    return createStringError(Label + " has several kernels " + Name +
                             ", choose one of " + join(Meant, ", "));
  std::vector<std::string> Known = kernels();
  return createStringError(
      Label + " defines no kernel " + Name +
      (Known.empty() ? "" : "; it has " + join(Known, ", ")));
}

std::string KernelModule::signature(StringRef Kernel) const {
  const Function &F = *Source->getFunction(Kernel);
  std::string Text;
  raw_string_ostream Stream(Text);
  Stream << Kernel << "(";
  interleaveComma(F.args(), Stream, [&](const Argument &A) {
    if (A.hasByValAttr())
      Stream << Source->getDataLayout().getTypeAllocSize(A.getParamByValType())
             << " bytes by value";
    else
      Stream << *A.getType();
    Stream << " ";
    A.printAsOperand(Stream, /*PrintType=*/false);
  });
  Stream << ")";
  if (std::string Demangled = demangle(Kernel); Demangled != Kernel)
    Stream << " = " << Demangled;
  return Text;
}

Expected<HostKernel> KernelModule::compile(StringRef Name,
                                           VariableMemory &Memory,
                                           bool IsTraced) const {
  Expected<std::string> Symbol = find(Name);
  if (!Symbol)
    return Symbol.takeError();
  Expected<HostKernel> Kernel = HostKernel::compile(
      Executable, *Executable->getFunction(*Symbol), Context, Memory, IsTraced);
  if (!Kernel)
    return createStringError(Label + ": " + toString(Kernel.takeError()));
  return Kernel;
}

/// Passes ask the target what things cost. Null if this LLVM does not have it.
static std::unique_ptr<TargetMachine> makeTargetMachine(const Triple &Triple) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(Triple, Message);
  return std::unique_ptr<TargetMachine>(
      T ? T->createTargetMachine(Triple, /*CPU=*/"", /*Features=*/"",
                                 TargetOptions(), std::nullopt)
        : nullptr);
}

Expected<KernelModule>
KernelModule::transformed(StringRef Passes,
                          ArrayRef<std::string> Plugins) const {
  KernelModule Result;
  Result.Label = ("after " + Passes).str();
  Result.Context = Context;
  Result.Source = CloneModule(*Source);

  std::unique_ptr<TargetMachine> Target =
      makeTargetMachine(Result.Source->getTargetTriple());
  PassBuilder Builder(Target.get());
  for (const std::string &Path : Plugins) {
    Expected<PassPlugin> Plugin = PassPlugin::Load(Path);
    if (!Plugin)
      return createStringError("--load-pass-plugin: " +
                               toString(Plugin.takeError()));
    Plugin->registerPassBuilderCallbacks(Builder);
  }
  AnalysisManagers Managers(Builder);
  ModulePassManager Pipeline;
  if (Error E = Builder.parsePassPipeline(Pipeline, Passes))
    return createStringError(
        "--passes: " + toString(std::move(E)) +
        (Plugins.empty()
             ? "; passes of a plugin need --load-pass-plugin, those "
               "of Unravel --load-pass-plugin=Unravel.so"
             : ""));
  Pipeline.run(*Result.Source, Managers.Modules);
  if (Error E = verify(*Result.Source, Result.Label))
    return E;
  Result.makeExecutable();
  return Result;
}

Error KernelModule::save(StringRef Path) const {
  std::string Text;
  raw_string_ostream(Text) << *Source;
  return writeFile(Path, Text);
}
