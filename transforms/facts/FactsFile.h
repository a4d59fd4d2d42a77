//===- FactsFile.h - Facts about kernels, in a file -------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of -index-simplify-facts=FILE; docs/facts.md describes it. What it
// says of a kernel becomes the attributes that KernelFacts reads.
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TRANSFORMS_FACTS_FACTSFILE_H
#define UNRAVEL_TRANSFORMS_FACTS_FACTSFILE_H

#include "transforms/facts/KernelFacts.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace unravel {

class FactsFile {
public:
  /// Errors name the file and the line or the place.
  static llvm::Expected<FactsFile> read(llvm::StringRef Path);
  static llvm::Expected<FactsFile> parse(llvm::StringRef Path,
                                         llvm::StringRef Text);

  /// Whether the file may speak of the source file \p Compiled; an error if it
  /// names another one. Two paths of one file are the same.
  bool isOf(llvm::StringRef Compiled, llvm::LLVMContext &Context,
            FactErrors &Errors) const;

  /// Adds what the file says of the kernel \p F to its attributes. True if
  /// there is anything new.
  bool applyTo(llvm::Function &F, FactErrors &Errors) const;

  /// Warns of kernels that the module does not have.
  void warnOfUnknown(llvm::Module &M, FactErrors &Errors) const;
  /// The same of a file called \p File that has \p Kernels.
  void warnOfUnknown(llvm::LLVMContext &Context, llvm::StringRef File,
                     llvm::ArrayRef<std::string> Kernels,
                     FactErrors &Errors) const;

private:
  struct Entry {
    std::string Kernel; ///< as the file names it
    SizeFacts Grid, Block;
    std::vector<std::pair<std::string, ArgumentFact>> Arguments;
  };
  std::string placeOf(const Entry &E) const;

  std::string Path;
  /// The only source file that the file is about; empty if it does not matter.
  std::string Source;
  std::vector<Entry> Entries;
};

} // namespace unravel

#endif // UNRAVEL_TRANSFORMS_FACTS_FACTSFILE_H
