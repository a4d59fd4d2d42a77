//===- OutputFile.cpp - Write a file wholly or not at all -----------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/ptx-compare/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

Error unravel::makeError(const Twine &Place, const Twine &Reason) {
  return createStringError(Place + ": " + Reason);
}

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

Error unravel::checkWritable(StringRef Path) {
  if (sys::fs::is_directory(Path))
    return cannotWrite(Path, "it is a folder");
  StringRef Parent = sys::path::parent_path(Path);
  if (Parent.empty())
    Parent = ".";
  if (!sys::fs::is_directory(Parent))
    return cannotWrite(Path, "there is no folder '" + Parent + "'");
  if (!isSpecialFile(Path))
    if (std::error_code EC =
            sys::fs::access(Parent, sys::fs::AccessMode::Write))
      return cannotWrite(Path, EC.message());
  return Error::success();
}

static std::error_code writeTo(int FD, StringRef Contents) {
  raw_fd_ostream Stream(FD, /*shouldClose=*/false);
  Stream << Contents;
  Stream.flush();
  std::error_code EC = Stream.error();
  Stream.clear_error();
  return EC;
}

Error unravel::writeFile(StringRef Path, StringRef Contents) {
  if (isSpecialFile(Path)) {
    int FD;
    if (std::error_code EC = sys::fs::openFileForWrite(
            Path, FD, sys::fs::CD_OpenExisting, sys::fs::OF_None))
      return cannotWrite(Path, EC.message());
    std::error_code EC = writeTo(FD, Contents);
    sys::fs::file_t File = sys::fs::convertFDToNativeFile(FD);
    if (std::error_code CloseEC = sys::fs::closeFile(File); !EC)
      EC = CloseEC;
    return EC ? cannotWrite(Path, EC.message()) : Error::success();
  }

  Expected<sys::fs::TempFile> Temp =
      sys::fs::TempFile::create(Path + ".%%%%%%.tmp");
  if (!Temp)
    return cannotWrite(Path, toString(Temp.takeError()));
  if (std::error_code EC = writeTo(Temp->FD, Contents)) {
    consumeError(Temp->discard());
    return cannotWrite(Path, EC.message());
  }
  if (Error E = Temp->keep(Path))
    return cannotWrite(Path, toString(std::move(E)));
  return Error::success();
}

Expected<std::string> unravel::readFile(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return makeError(Path, "cannot read: " + Buffer.getError().message() +
                               "; check the path and its permissions");
  return (*Buffer)->getBuffer().str();
}
