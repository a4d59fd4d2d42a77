//===- access-report.cpp - What the memory accesses of kernels cost -------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   access-report --jsonl requests.jsonl
//
// Exit status: 0 done, 2 an error.
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/BatchMode.h"
#include "tools/files/InputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace unravel;

static cl::OptionCategory Category("access-report options");

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("[FILE]"), cl::cat(Category));
static cl::opt<bool> Jsonl("jsonl",
                           cl::desc("Answer requests, one JSON object a line"),
                           cl::cat(Category));

static const char Overview[] = "reports what the memory accesses of GPU "
                               "kernels cost\n";

namespace {
enum ExitCode { Done = 0, Failed = 2 };
} // namespace

static int report(const Twine &What) {
  errs() << "access-report: " << What << '\n';
  return Failed;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  // With a stream for its errors the parser returns instead of exiting with 1.
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &errs()))
    return Failed;
  if (InputPath != "-")
    if (Error E = checkInput(InputPath))
      return report(toString(std::move(E)));
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input =
      MemoryBuffer::getFileOrSTDIN(InputPath);
  if (std::error_code EC = Input.getError())
    return report(InputPath + ": cannot read: " + EC.message() +
                  "; check the path");
  answerRequests(**Input, outs());
  outs().flush();
  if (std::error_code EC = outs().error()) {
    outs().clear_error();
    return report("<stdout>: cannot write: " + EC.message());
  }
  return Done;
}
