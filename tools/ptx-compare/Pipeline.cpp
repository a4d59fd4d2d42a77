//===- Pipeline.cpp - From .cu or .ll to PTX, without and with ------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/Pipeline.h"
#include "tools/compilers/Compilers.h"
#include "tools/files/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace unravel;

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

static Expected<std::unique_ptr<TemporaryFile>>
temporaryFile(StringRef Suffix) {
  return TemporaryFile::create("ptx-compare", Suffix);
}

static std::string findPtxas(StringRef CudaPath) {
  for (const std::string &Path : toolkitCandidates(CudaPath))
    if (std::string Ptxas = Path + "/bin/ptxas"; sys::fs::can_execute(Ptxas))
      return Ptxas;
  if (ErrorOr<std::string> Found = sys::findProgramByName("ptxas"))
    return *Found;
  return "";
}

//===----------------------------------------------------------------------===//
// Both versions
//===----------------------------------------------------------------------===//

Pipeline::Pipeline(PipelineOptions Options)
    : Options(std::move(Options)), Ptxas(findPtxas(this->Options.CudaPath)) {}

Error Pipeline::checkPlugin() const {
  if (sys::fs::is_regular_file(Options.Plugin))
    return Error::success();
  return makeError(Options.Plugin,
                   "no plugin there; build it (cmake --build build) or name "
                   "it with --plugin");
}

Expected<PtxTexts> Pipeline::compile(StringRef File) const {
  if (Error E = readFile(File).takeError())
    return E;
  StringRef Extension = sys::path::extension(File);
  if (Extension == ".cu")
    return compileCuda(File);
  if (Extension == ".ll" || Extension == ".bc")
    return compileIR(File);
  if (Extension == ".ptx")
    return simplifyPtx(File);
  return makeError(File,
                   "unknown kind of file; give a .cu, .ll, .bc or .ptx file");
}

Expected<PtxTexts> Pipeline::simplifyPtx(StringRef File) const {
  if (!sys::fs::can_execute(Options.Simplifier))
    return makeError(Options.Simplifier,
                     "no program there; build ptx-simplify (cmake --build "
                     "build), or use --before A.ptx --after B.ptx");
  Expected<std::unique_ptr<TemporaryFile>> Output = temporaryFile("ptx");
  if (!Output)
    return Output.takeError();
  std::vector<StringRef> Command = {Options.Simplifier, File, "-o",
                                    (*Output)->path()};
  append_range(Command, Options.PassOptions);
  Expected<std::string> Log = runTool(Command, File, "cannot be simplified");
  if (!Log)
    return Log.takeError();
  Expected<std::string> Before = readFile(File);
  if (!Before)
    return Before.takeError();
  Expected<std::string> After = readFile((*Output)->path());
  if (!After)
    return After.takeError();
  return PtxTexts{
      std::move(*Before), std::move(*After), std::move(*Log), {}, {}};
}

static SmallVector<StringRef, 32> asStringRefs(ArrayRef<std::string> Words) {
  return to_vector<32>(
      map_range(Words, [](const std::string &S) { return StringRef(S); }));
}

static Expected<std::vector<PassRemark>> remarksIn(StringRef Path) {
  Expected<std::string> Yaml = readFile(Path);
  if (!Yaml)
    return Yaml.takeError();
  return readRemarks(*Yaml);
}

Expected<std::vector<PassRemark>>
Pipeline::remarksOfCuda(ArrayRef<std::string> Command, StringRef File) const {
  Expected<std::unique_ptr<TemporaryFile>> Record = temporaryFile("yaml");
  if (!Record)
    return Record.takeError();
  std::vector<std::string> Words = Command.vec();
  for (const char *Option : {"-debug-info-kind=limited", "-opt-record-passes",
                             "index-simplify", "-opt-record-file"})
    Words.insert(Words.end(), {"-Xclang", Option});
  Words.insert(Words.end(), {"-Xclang", (*Record)->path().str(), "-g"});
  Expected<std::string> Log =
      runTool(asStringRefs(Words), File, "does not compile with debug info");
  if (!Log)
    return Log.takeError();
  return remarksIn((*Record)->path());
}

Expected<std::vector<AccessLine>> Pipeline::accessesIn(StringRef IR,
                                                       StringRef File) const {
  Expected<std::string> Opt = findLLVMTool("opt");
  if (!Opt)
    return Opt.takeError();
  std::string LoadPlugin = "-load-pass-plugin=" + Options.Plugin;
  std::vector<StringRef> Command = {*Opt, LoadPlugin};
  append_range(Command, Options.PassOptions);
  Command.insert(Command.end(), {"-passes=print<indexing-maps;readable>",
                                 "-disable-output", IR});
  Expected<std::string> Printed =
      runTool(Command, File, "opt prints no indexing maps");
  if (!Printed)
    return Printed.takeError();
  return readAccessLines(*Printed);
}

Expected<std::vector<AccessLine>>
Pipeline::accessesOfCuda(ArrayRef<std::string> Command, StringRef File) const {
  Expected<std::unique_ptr<TemporaryFile>> IR = temporaryFile("ll");
  if (!IR)
    return IR.takeError();
  std::vector<std::string> Words = Command.vec();
  Words.insert(Words.end(),
               {"-emit-llvm", "-gline-tables-only", "-o", (*IR)->path().str()});
  Expected<std::string> Log =
      runTool(asStringRefs(Words), File, "does not compile to LLVM IR");
  if (!Log)
    return Log.takeError();
  return accessesIn((*IR)->path(), File);
}

Expected<PtxTexts> Pipeline::compileCuda(StringRef File) const {
  Expected<std::string> Toolkit = findToolkit(File, Options.CudaPath);
  if (!Toolkit)
    return Toolkit.takeError();
  if (Error E = checkPlugin())
    return E;
  Expected<std::string> Clang = findLLVMTool("clang++");
  if (!Clang)
    return Clang.takeError();

  std::string Messages;
  std::vector<PassRemark> Remarks;
  std::vector<std::string> WithoutPlugin;
  auto Compile = [&](bool WithPlugin) -> Expected<std::string> {
    Expected<std::unique_ptr<TemporaryFile>> Output = temporaryFile("ptx");
    if (!Output)
      return Output.takeError();
    std::vector<std::string> Command = {*Clang,
                                        "-x",
                                        "cuda",
                                        File.str(),
                                        "--cuda-device-only",
                                        "-S",
                                        "-O" + Options.OptLevel,
                                        "--cuda-gpu-arch=" + Options.Arch,
                                        "--cuda-path=" + *Toolkit,
                                        "-Wno-unknown-cuda-version",
                                        "-fno-crash-diagnostics",
                                        "-o",
                                        (*Output)->path().str()};
    append_range(Command, Options.ClangOptions);
    // Names of blocks tell the bodies of a kernel, and facts files may name
    // arguments.
    Command.push_back("-fno-discard-value-names");
    if (!WithPlugin) {
      WithoutPlugin = Command;
    } else {
      Command.insert(Command.end(),
                     {"-Xarch_device", "-fpass-plugin=" + Options.Plugin});
      for (const std::string &Option : Options.PassOptions)
        Command.insert(Command.end(), {"-Xarch_device", "-mllvm=" + Option});
    }
    Expected<std::string> Log = runTool(
        asStringRefs(Command), File,
        WithPlugin ? "does not compile with the plugin" : "does not compile");
    if (!Log)
      return Log.takeError();
    Messages = std::move(*Log);
    Expected<std::string> Ptx = readFile((*Output)->path());
    if (Ptx && WithPlugin && Options.ForPage) {
      Expected<std::vector<PassRemark>> Said = remarksOfCuda(Command, File);
      if (!Said)
        return Said.takeError();
      Remarks = std::move(*Said);
    }
    return Ptx;
  };

  Expected<std::string> Before = Compile(/*WithPlugin=*/false);
  if (!Before)
    return Before.takeError();
  Expected<std::string> After = Compile(/*WithPlugin=*/true);
  if (!After)
    return After.takeError();
  std::vector<AccessLine> Accesses;
  if (Options.ForPage) {
    Expected<std::vector<AccessLine>> Found =
        accessesOfCuda(WithoutPlugin, File);
    if (!Found)
      return Found.takeError();
    Accesses = std::move(*Found);
  }
  return PtxTexts{std::move(*Before), std::move(*After), std::move(Messages),
                  std::move(Remarks), std::move(Accesses)};
}

/// The target triple of a textual module, or an empty string.
static StringRef targetTriple(StringRef IR) {
  size_t Begin = IR.find("\ntarget triple = \"");
  if (Begin == StringRef::npos)
    return StringRef();
  return IR.substr(Begin).split('"').second.split('"').first;
}

Expected<PtxTexts> Pipeline::compileIR(StringRef File) const {
  if (Error E = checkPlugin())
    return E;
  Expected<std::string> Opt = findLLVMTool("opt");
  if (!Opt)
    return Opt.takeError();

  // Passes that ask the target may only see a module for a GPU.
  Expected<std::unique_ptr<TemporaryFile>> Verified = temporaryFile("ll");
  if (!Verified)
    return Verified.takeError();
  StringRef IR = (*Verified)->path();
  Expected<std::string> Log =
      runTool({*Opt, "-passes=verify", "-S", File, "-o", IR}, File,
              "does not verify as LLVM IR");
  if (!Log)
    return Log.takeError();
  Expected<std::string> Module = readFile(IR);
  if (!Module)
    return Module.takeError();
  StringRef Triple = targetTriple(*Module);
  // Triton and mlir-translate set the triple last.
  if (Triple.empty() && StringRef(*Module).contains("\ntarget datalayout")) {
    Log = runTool({*Opt, "-passes=verify", "-mtriple=nvptx64-nvidia-cuda", "-S",
                   File, "-o", IR},
                  File, "does not verify as LLVM IR");
    if (!Log)
      return Log.takeError();
    Triple = "nvptx64-nvidia-cuda";
  }
  if (!Triple.starts_with("nvptx"))
    return makeError(File, "the target triple is '" + Triple +
                               "', which is no GPU; emit device code with "
                               "target triple \"nvptx64-nvidia-cuda\"");

  // Both versions end with what the default pipeline has behind the pass, so
  // that guards that it folded vanish and the rest differs by the pass alone.
  std::string Before = Options.OptPasses, After = Options.OptPasses;
  if (Options.OptPasses.empty()) {
    Before = "function(instsimplify,simplifycfg)";
    After = "function(index-facts,index-facts<state>,index-simplify,"
            "index-facts<forget>,instsimplify,simplifycfg)";
  }
  std::string Messages;
  std::vector<PassRemark> Remarks;
  Expected<std::string> PtxBefore =
      lowerIR(File, IR, Before, /*WithPlugin=*/false, Messages, Remarks);
  if (!PtxBefore)
    return PtxBefore.takeError();
  Expected<std::string> PtxAfter =
      lowerIR(File, IR, After, /*WithPlugin=*/true, Messages, Remarks);
  if (!PtxAfter)
    return PtxAfter.takeError();
  std::vector<AccessLine> Accesses;
  if (Options.ForPage) {
    // Without the plugin, which would simplify in a pipeline of clang's.
    std::string Passes = "-passes=" + Before;
    Log = runTool({*Opt, Passes, "-S", IR, "-o", IR}, File, "opt fails");
    if (!Log)
      return Log.takeError();
    Expected<std::vector<AccessLine>> Found = accessesIn(IR, File);
    if (!Found)
      return Found.takeError();
    Accesses = std::move(*Found);
  }
  return PtxTexts{std::move(*PtxBefore), std::move(*PtxAfter),
                  std::move(Messages), std::move(Remarks), std::move(Accesses)};
}

Expected<std::string>
Pipeline::lowerIR(StringRef File, StringRef VerifiedIR, StringRef Passes,
                  bool WithPlugin, std::string &Messages,
                  std::vector<PassRemark> &Remarks) const {
  Expected<std::string> Opt = findLLVMTool("opt");
  if (!Opt)
    return Opt.takeError();
  Expected<std::string> Llc = findLLVMTool("llc");
  if (!Llc)
    return Llc.takeError();
  Expected<std::unique_ptr<TemporaryFile>> IR = temporaryFile("ll");
  if (!IR)
    return IR.takeError();
  Expected<std::unique_ptr<TemporaryFile>> Ptx = temporaryFile("ptx");
  if (!Ptx)
    return Ptx.takeError();

  Expected<std::unique_ptr<TemporaryFile>> Record = temporaryFile("yaml");
  if (!Record)
    return Record.takeError();

  std::string RecordTo = ("-pass-remarks-output=" + (*Record)->path()).str();
  std::string Cpu = "-mcpu=" + Options.Arch;
  std::string LoadPlugin = "-load-pass-plugin=" + Options.Plugin;
  std::string PassesArgument = ("-passes=" + Passes).str();
  std::vector<StringRef> Command = {*Opt};
  if (WithPlugin) { // First: it brings the options of the pass with it.
    Command.push_back(LoadPlugin);
    append_range(Command, Options.PassOptions);
    if (Options.ForPage)
      Command.insert(Command.end(),
                     {RecordTo, "-pass-remarks-filter=index-simplify"});
  }
  Command.insert(Command.end(),
                 {PassesArgument, Cpu, "-S", VerifiedIR, "-o", (*IR)->path()});
  Expected<std::string> Log = runTool(
      Command, File, WithPlugin ? "opt fails with the plugin" : "opt fails");
  if (!Log)
    return Log.takeError();
  Messages = std::move(*Log);
  if (WithPlugin && Options.ForPage) {
    Expected<std::vector<PassRemark>> Said = remarksIn((*Record)->path());
    if (!Said)
      return Said.takeError();
    Remarks = std::move(*Said);
  }

  std::string Level = "-O" + Options.OptLevel;
  Log = runTool({*Llc, Level, Cpu, (*IR)->path(), "-o", (*Ptx)->path()}, File,
                WithPlugin ? "llc fails after the plugin" : "llc fails");
  if (!Log)
    return Log.takeError();
  return readFile((*Ptx)->path());
}

Expected<UsageByName> Pipeline::assemble(StringRef Ptx,
                                         StringRef Target) const {
  Expected<std::unique_ptr<TemporaryFile>> Input = temporaryFile("ptx");
  if (!Input)
    return Input.takeError();
  if (Error E = writeFile((*Input)->path(), Ptx))
    return E;
  std::string Arch = ("-arch=" + Target).str();
  Expected<std::string> Log =
      runTool({Ptxas, "-v", Arch, (*Input)->path(), "-o", "/dev/null"}, "ptxas",
              "does not assemble for " + Target);
  if (!Log)
    return Log.takeError();
  return parsePtxasLog(*Log);
}
