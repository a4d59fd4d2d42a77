//===- FactsFile.cpp - Facts about kernels, in a file ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/facts/FactsFile.h"
#include "analysis/facts/KernelNames.h"
#include "analysis/json/JsonKeys.h"
#include "analysis/json/JsonNesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace unravel {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error problem(const Twine &Place, const Twine &What) {
  return make_error<StringError>(Place + ": " + What, inconvertibleErrorCode());
}

/// Refuses fields that are not in the list; a misspelt fact must not be lost.
static Error checkFields(const json::Object &Object, StringRef Place,
                         ArrayRef<StringRef> Known) {
  for (const auto &[Name, Value] : Object)
    if (!is_contained(Known, StringRef(Name)))
      return problem(Place + "." + StringRef(Name),
                     "unknown field; known are " + join(Known, ", "));
  return Error::success();
}

/// One number, or up to three in a list.
static Error readSizes(const json::Value &V, StringRef Place, bool IsBound,
                       SizeFacts &Sizes) {
  auto Read = [&](const json::Value &Number, unsigned D) -> Error {
    std::optional<int64_t> N = Number.getAsInteger();
    if (!N || *N < 1 || *N > INT32_MAX)
      return problem(Place, "'" + formatv("{0}", Number).str() +
                                "' is not a size; give integers from 1 on");
    Sizes[D] = SizeFact{IsBound ? 1 : *N, *N};
    return Error::success();
  };
  // As in a launch, what is left out is 1; a bound that is left out is none.
  if (!IsBound)
    Sizes = {SizeFact{1, 1}, SizeFact{1, 1}, SizeFact{1, 1}};
  const json::Array *List = V.getAsArray();
  if (!List)
    return Read(V, 0);
  if (List->empty() || List->size() > Sizes.size())
    return problem(Place, "a list of " + Twine(List->size()) +
                              " sizes; give x, or [x, y], or [x, y, z]");
  for (unsigned D = 0; D < List->size(); ++D)
    if (Error E = Read((*List)[D], D))
      return E;
  return Error::success();
}

static Error readLaunch(const json::Value &V, StringRef Place,
                        SizeFacts &Sizes) {
  const json::Object *Object = V.getAsObject();
  if (!Object)
    return readSizes(V, Place, /*IsBound=*/false, Sizes);
  if (Error E = checkFields(*Object, Place, {"max"}))
    return E;
  const json::Value *Max = Object->get("max");
  if (!Max)
    return problem(Place, "no \"max\"; give sizes, or {\"max\": sizes}");
  return readSizes(*Max, (Place + ".max").str(), /*IsBound=*/true, Sizes);
}

static Error readArgument(const json::Value &V, StringRef Place,
                          ArgumentFact &Fact) {
  const json::Object *Object = V.getAsObject();
  if (!Object)
    return problem(Place, "not an object; give for example {\"min\": 1}");
  if (Error E =
          checkFields(*Object, Place, {"min", "max", "multiple_of", "value"}))
    return E;
  auto Read = [&](StringRef Name, std::optional<int64_t> &To) -> Error {
    const json::Value *Number = Object->get(Name);
    if (!Number)
      return Error::success();
    To = Number->getAsInteger();
    if (To)
      return Error::success();
    return problem(Place + "." + Name, "'" + formatv("{0}", *Number).str() +
                                           "' is not an integer of 64 bits");
  };
  std::optional<int64_t> Value;
  if (Error E = Read("min", Fact.Min))
    return E;
  if (Error E = Read("max", Fact.Max))
    return E;
  if (Error E = Read("multiple_of", Fact.MultipleOf))
    return E;
  if (Error E = Read("value", Value))
    return E;
  if (!Value)
    return Error::success();
  if (Fact.Min || Fact.Max)
    return problem(Place, "\"value\" beside \"min\" or \"max\"; give one or "
                          "the other");
  Fact.Min = Fact.Max = Value;
  return Error::success();
}

Expected<FactsFile> FactsFile::read(StringRef Path) {
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) &&
      Status.type() == sys::fs::file_type::character_file)
    return problem(Path, "a device, which may have no end; give a file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return problem(Path, "cannot read the facts file: " +
                             Buffer.getError().message() + "; check the path");
  return parse(Path, (*Buffer)->getBuffer());
}

Expected<FactsFile> FactsFile::parse(StringRef Path, StringRef Text) {
  FactsFile File;
  File.Path = Path.str();
  if (nestsTooDeep(Text))
    return problem(Path, "not a facts file: more than " +
                             Twine(MaxJsonNesting) +
                             " brackets inside each other");
  Expected<json::Value> Root = json::parse(Text);
  if (!Root)
    return problem(Path, "not JSON: " + toString(Root.takeError()));
  if (std::optional<std::string> Key = repeatedKey(Text))
    return problem(Path, "two fields \"" + *Key +
                             "\" in one object; write all facts into one");
  auto In = [&](const Twine &Place) { return (Path + ": " + Place).str(); };
  const json::Object *Top = Root->getAsObject();
  const json::Object *Kernels = Top ? Top->getObject("kernels") : nullptr;
  if (!Kernels)
    return problem(Path, "no object \"kernels\"; the file has the form "
                         "{\"kernels\": {NAME: {\"grid\": [469]}}}");
  if (Error E = checkFields(*Top, Path, {"kernels", "source"}))
    return E;
  if (const json::Value *Source = Top->get("source")) {
    if (!Source->getAsString())
      return problem(In("source"), "not the name of a source file");
    File.Source = Source->getAsString()->str();
  }
  for (const auto &[Name, Value] : *Kernels) {
    Entry New;
    New.Kernel = StringRef(Name).str();
    std::string Place = In("kernels." + New.Kernel);
    const json::Object *Facts = Value.getAsObject();
    if (!Facts)
      return problem(Place, "not an object; give grid, block or args");
    if (Error E = checkFields(*Facts, Place, {"grid", "block", "args"}))
      return E;
    if (const json::Value *Grid = Facts->get("grid"))
      if (Error E = readLaunch(*Grid, Place + ".grid", New.Grid))
        return E;
    if (const json::Value *Block = Facts->get("block"))
      if (Error E = readLaunch(*Block, Place + ".block", New.Block))
        return E;
    if (const json::Value *Args = Facts->get("args")) {
      const json::Object *Arguments = Args->getAsObject();
      if (!Arguments)
        return problem(Place + ".args", "not an object; give for example "
                                        "{\"2\": {\"min\": 1}}");
      for (const auto &[Argument, Fact] : *Arguments) {
        New.Arguments.push_back({StringRef(Argument).str(), {}});
        if (Error E =
                readArgument(Fact, Place + ".args." + StringRef(Argument).str(),
                             New.Arguments.back().second))
          return E;
      }
    }
    File.Entries.push_back(std::move(New));
  }
  // The order of an object's members is that of a hash table.
  sort(File.Entries,
       [](const Entry &A, const Entry &B) { return A.Kernel < B.Kernel; });
  return File;
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

std::string FactsFile::placeOf(const Entry &E) const {
  return Path + ": kernels." + E.Kernel;
}

bool FactsFile::isOf(StringRef Compiled, LLVMContext &Context,
                     FactErrors &Errors) const {
  if (Source.empty() || Source == Compiled ||
      sys::fs::equivalent(Source, Compiled))
    return true;
  Errors.report(Context, Path +
                             ": source: the facts are about the launches in " +
                             Source + ", but this is " + Compiled +
                             "; record its own launches");
  return false;
}

bool FactsFile::applyTo(Function &F, FactErrors &Errors) const {
  bool Changed = false;
  for (const Entry &E : Entries) {
    if (!isNameOf(E.Kernel, F.getName()))
      continue;
    auto Set = [&](const Twine &Where, const Twine &Attribute,
                   const std::string &Text, const std::string &Wrong) {
      if (!Wrong.empty())
        return Errors.report(F.getContext(), placeOf(E) + Where + ": " + Wrong);
      std::string Name = Attribute.str();
      StringRef Old = F.getFnAttribute(Name).getValueAsString();
      if (Old == Text)
        return;
      if (F.hasFnAttribute(Name))
        return Errors.report(
            F.getContext(),
            placeOf(E) + Where + ": " + Text + " contradicts the attribute \"" +
                Name + "\"=\"" + Old + "\" of " + demangle(F.getName()));
      F.addFnAttr(Name, Text);
      Changed = true;
    };
    auto IsStated = [](const SizeFacts &Sizes) {
      return any_of(Sizes, [](auto &Size) { return Size.has_value(); });
    };
    if (IsStated(E.Grid))
      Set(".grid", "unravel.grid", toText(E.Grid), whyWrongGrid(E.Grid));
    if (IsStated(E.Block))
      Set(".block", "unravel.block", toText(E.Block),
          whyWrongBlock(E.Block, F));
    // An argument has a number and perhaps a name.
    std::map<unsigned, StringRef> CalledSo;
    for (const auto &[Name, Fact] : E.Arguments) {
      unsigned Index;
      if (StringRef(Name).getAsInteger(10, Index)) {
        auto *Named = find_if(F.args(), [&, &Name = Name](const Argument &A) {
          return A.getName() == Name;
        });
        if (Named == F.arg_end()) {
          Errors.report(F.getContext(),
                        placeOf(E) + ".args." + Name + ": " +
                            demangle(F.getName()) +
                            " has no argument of this name; give its number, "
                            "from 0 (clang keeps names with "
                            "-fno-discard-value-names only)");
          continue;
        }
        Index = Named->getArgNo();
      }
      auto [First, IsNew] = CalledSo.try_emplace(Index, Name);
      if (!IsNew) {
        StringRef Number = First->second, Other = Name;
        if (Other < Number)
          std::swap(Number, Other);
        Errors.report(F.getContext(), placeOf(E) + ".args: " + Number +
                                          " and " + Other +
                                          " are the same argument; state it "
                                          "once");
        continue;
      }
      if (std::string Text = toText(Fact); !Text.empty())
        Set(".args." + Name, "unravel.arg." + Twine(Index), Text,
            whyWrong(Fact, Index, F));
    }
  }
  return Changed;
}

void FactsFile::warnOfUnknown(Module &M, FactErrors &Errors) const {
  std::vector<std::string> Kernels;
  for (const Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      Kernels.push_back(F.getName().str());
  warnOfUnknown(M.getContext(), M.getSourceFileName(), Kernels, Errors);
}

void FactsFile::warnOfUnknown(LLVMContext &Context, StringRef File,
                              ArrayRef<std::string> Kernels,
                              FactErrors &Errors) const {
  for (const Entry &E : Entries)
    if (none_of(Kernels,
                [&](StringRef Name) { return isNameOf(E.Kernel, Name); }))
      Errors.warn(Context, placeOf(E) + ": no kernel of this name in " + File +
                               "; names are mangled, demangled or plain");
}

} // namespace unravel
