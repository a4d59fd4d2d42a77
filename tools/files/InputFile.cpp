//===- InputFile.cpp - Read a file that has an end ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/files/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace unravel;

Error unravel::makeError(const Twine &Place, const Twine &Reason) {
  return createStringError(Place + ": " + Reason);
}

static Error cannotRead(StringRef Path, std::error_code EC) {
  return makeError(Path, "cannot read: " + EC.message() +
                             "; check the path and its permissions");
}

static StringRef nameOf(sys::fs::file_type Type) {
  switch (Type) {
  case sys::fs::file_type::character_file:
  case sys::fs::file_type::block_file:
    return "a device";
  case sys::fs::file_type::fifo_file:
  case sys::fs::file_type::socket_file:
    return "a pipe";
  default:
    return "no regular file";
  }
}

static Error notAFile(StringRef Path, sys::fs::file_type Type) {
  if (Type == sys::fs::file_type::directory_file)
    return makeError(Path, "cannot read: it is a folder; name a file");
  return makeError(Path, "cannot read: it is " + nameOf(Type) +
                             "; copy what it holds to a file and name that");
}

Error unravel::checkInput(StringRef Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return Error::success();
  switch (Status.type()) {
  case sys::fs::file_type::directory_file:
  case sys::fs::file_type::character_file:
  case sys::fs::file_type::block_file:
    return notAFile(Path, Status.type());
  default:
    return Error::success();
  }
}

Expected<uint64_t> unravel::sizeOfRegularFile(StringRef Path) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return cannotRead(Path, EC);
  if (!sys::fs::is_regular_file(Status))
    return notAFile(Path, Status.type());
  return Status.getSize();
}

Expected<std::string> unravel::readFile(StringRef Path) {
  if (Error E = checkInput(Path))
    return E;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return cannotRead(Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}
