//===- OutputFile.cpp - Write a file wholly or not at all -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

static Error cannotWrite(StringRef Path, const Twine &Reason) {
  return makeError(Path, "cannot write: " + Reason +
                             "; name a file in a folder that you may write to");
}

/// Pipes and devices cannot be replaced by a rename.
static bool isSpecialFile(StringRef Path) {
  sys::fs::file_status Status;
  return !sys::fs::status(Path, Status) && sys::fs::exists(Status) &&
         !sys::fs::is_regular_file(Status);
}

/// The file that a link leads to: a rename would replace the link.
static std::string behindLinks(StringRef Path) {
  SmallString<128> Real;
  if (sys::fs::is_symlink_file(Path) && !sys::fs::real_path(Path, Real))
    return Real.str().str();
  return Path.str();
}

static StringRef parentOf(StringRef Path) {
  StringRef Parent = sys::path::parent_path(Path);
  return Parent.empty() ? "." : Parent;
}

static Expected<sys::fs::TempFile> fileBeside(StringRef Path) {
  unsigned Mode = sys::fs::all_read | sys::fs::all_write;
  // What is replaced keeps its permissions.
  if (ErrorOr<sys::fs::perms> Old = sys::fs::getPermissions(Path))
    Mode = *Old;
  return sys::fs::TempFile::create(Path + ".%%%%%%.tmp", Mode);
}

/// The only sure test of a folder: modes say little of a read-only disk, and
/// nothing to root.
static Error tryWriting(StringRef Path) {
  Expected<sys::fs::TempFile> Temp = fileBeside(Path);
  return Temp ? Temp->discard() : Temp.takeError();
}

static Error checkWritable(StringRef Path) {
  if (Path.empty())
    return makeError("''", "cannot write: the name is empty; name a file");
  if (sys::fs::is_directory(Path))
    return cannotWrite(Path, "it is a folder");
  if (!sys::fs::is_directory(parentOf(Path)))
    return cannotWrite(Path, "there is no folder '" + parentOf(Path) + "'");
  if (sys::fs::exists(Path))
    if (std::error_code EC = sys::fs::access(Path, sys::fs::AccessMode::Write))
      return cannotWrite(Path, EC.message());
  if (isSpecialFile(Path))
    return Error::success();
  if (Error E = tryWriting(behindLinks(Path)))
    return cannotWrite(Path, toString(std::move(E)));
  return Error::success();
}

/// Whether both paths lead to one file, or would once it is written.
static bool areSameFile(StringRef A, StringRef B) {
  if (sys::fs::exists(A) || sys::fs::exists(B))
    return sys::fs::equivalent(A, B);
  return sys::path::filename(A) == sys::path::filename(B) &&
         sys::fs::equivalent(parentOf(A), parentOf(B));
}

Error unravel::checkOneStdout(ArrayRef<NamedFile> Outputs) {
  const NamedFile *First = nullptr;
  for (const NamedFile &Output : Outputs) {
    if (Output.Path != "-")
      continue;
    if (First)
      return makeError(Output.Option + ": -",
                       "cannot write: " + First->Option +
                           " goes to stdout as well; name a file");
    First = &Output;
  }
  return Error::success();
}

Error unravel::checkOutputs(ArrayRef<NamedFile> Outputs,
                            ArrayRef<NamedFile> Inputs) {
  for (size_t I = 0; I < Outputs.size(); ++I) {
    const NamedFile &Output = Outputs[I];
    if (Output.Path == "-")
      continue;
    std::string Place = Output.Option + ": " + Output.Path;
    if (Error E = checkWritable(Output.Path))
      return makeError(Output.Option, toString(std::move(E)));
    if (isSpecialFile(Output.Path))
      continue;
    for (const NamedFile &Input : Inputs)
      if (Input.Path != "-" && areSameFile(Output.Path, Input.Path))
        return makeError(
            Place, "cannot write: it is the same file as the input '" +
                       Input.Path + "'" +
                       (Input.Option.empty() ? "" : " of " + Input.Option) +
                       ", which would be lost; name another file");
    for (const NamedFile &Other : Outputs.take_front(I))
      if (Other.Path != "-" && areSameFile(Output.Path, Other.Path))
        return makeError(Place, "cannot write: " + Other.Option +
                                    " writes the same file, '" + Other.Path +
                                    "'; name another file");
  }
  return Error::success();
}

Error unravel::checkOutputFolder(StringRef Option, StringRef Path) {
  // The folder that it is made in, if it is not there yet.
  StringRef Existing = Path;
  while (!sys::fs::exists(Existing) && Existing != ".")
    Existing = parentOf(Existing);
  static constexpr StringLiteral Remedy =
      "; name a folder that you may write to";
  if (!sys::fs::is_directory(Existing))
    return makeError(Option + ": " + Path,
                     "cannot write: '" + Existing + "' is no folder" + Remedy);
  SmallString<128> Probe(Existing);
  sys::path::append(Probe, "unravel");
  if (Error E = tryWriting(Probe))
    return makeError(Option + ": " + Path,
                     "cannot write: " + toString(std::move(E)) + Remedy);
  return Error::success();
}

/// Runs \p Write on a stream to \p FD. An error of the stream is one of \p
/// Path.
static Error writeTo(int FD, StringRef Path,
                     function_ref<Error(raw_ostream &)> Write) {
  raw_fd_ostream Stream(FD, /*shouldClose=*/false);
  Error E = Write(Stream);
  Stream.flush();
  std::error_code EC = Stream.error();
  Stream.clear_error();
  if (E || !EC)
    return E;
  return cannotWrite(Path, EC.message());
}

Error unravel::writeFile(StringRef Path,
                         function_ref<Error(raw_ostream &)> Write) {
  if (Path == "-") {
    Error E = Write(outs());
    outs().flush();
    std::error_code EC = outs().error();
    outs().clear_error();
    if (E || !EC)
      return E;
    return makeError("stdout", "cannot write: " + EC.message());
  }
  if (isSpecialFile(Path)) {
    int FD;
    if (std::error_code EC = sys::fs::openFileForWrite(
            Path, FD, sys::fs::CD_OpenExisting, sys::fs::OF_None))
      return cannotWrite(Path, EC.message());
    Error E = writeTo(FD, Path, Write);
    sys::fs::file_t File = sys::fs::convertFDToNativeFile(FD);
    std::error_code EC = sys::fs::closeFile(File);
    if (E || !EC)
      return E;
    return cannotWrite(Path, EC.message());
  }

  std::string Target = behindLinks(Path);
  Expected<sys::fs::TempFile> Temp = fileBeside(Target);
  if (!Temp)
    return cannotWrite(Path, toString(Temp.takeError()));
  if (Error E = writeTo(Temp->FD, Path, Write)) {
    consumeError(Temp->discard());
    return E;
  }
  if (Error E = Temp->keep(Target))
    return cannotWrite(Path, toString(std::move(E)));
  return Error::success();
}

Error unravel::writeFile(StringRef Path, StringRef Contents) {
  return writeFile(Path, [&](raw_ostream &OS) {
    OS << Contents;
    return Error::success();
  });
}
