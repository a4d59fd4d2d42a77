//===- Subjects.h - What a campaign examines --------------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_KERNELFUZZ_SUBJECTS_H
#define UNRAVEL_TOOLS_KERNELFUZZ_SUBJECTS_H

#include "tools/kernel-fuzz/random/SeedLine.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace unravel {

/// A numbered list of modules.
class Subjects {
public:
  virtual ~Subjects();
  virtual uint64_t count() const = 0;
  /// A seed line, or the path of a file.
  virtual std::string name(uint64_t Index) const = 0;
  /// Null, with the reason in \p Why, if there is nothing to examine.
  virtual std::unique_ptr<llvm::Module>
  load(uint64_t Index, llvm::LLVMContext &Context, std::string &Why) const = 0;
};

/// The kernels number From, From + 1, ...: of all profiles in turn, or of one.
class GeneratedKernels : public Subjects {
public:
  GeneratedKernels(uint64_t From, uint64_t Count, std::optional<Profile> Only,
                   const llvm::TargetMachine &TM)
      : From(From), Count(Count), Only(Only), TM(TM) {}
  uint64_t count() const override { return Count; }
  std::string name(uint64_t Index) const override { return line(Index).str(); }
  std::unique_ptr<llvm::Module> load(uint64_t Index, llvm::LLVMContext &Context,
                                     std::string &Why) const override;

private:
  SeedLine line(uint64_t Index) const;
  uint64_t From, Count;
  std::optional<Profile> Only;
  const llvm::TargetMachine &TM;
};

/// The kernels of a list of seed lines.
class ListedKernels : public Subjects {
public:
  ListedKernels(std::vector<SeedLine> Lines, const llvm::TargetMachine &TM)
      : Lines(std::move(Lines)), TM(TM) {}
  uint64_t count() const override { return Lines.size(); }
  std::string name(uint64_t Index) const override { return Lines[Index].str(); }
  std::unique_ptr<llvm::Module> load(uint64_t Index, llvm::LLVMContext &Context,
                                     std::string &Why) const override;

private:
  std::vector<SeedLine> Lines;
  const llvm::TargetMachine &TM;
};

/// Files of IR; those for other targets are left out.
class IRFiles : public Subjects {
public:
  explicit IRFiles(std::vector<std::string> Paths) : Paths(std::move(Paths)) {}
  uint64_t count() const override { return Paths.size(); }
  std::string name(uint64_t Index) const override { return Paths[Index]; }
  std::unique_ptr<llvm::Module> load(uint64_t Index, llvm::LLVMContext &Context,
                                     std::string &Why) const override;

private:
  std::vector<std::string> Paths;
};

} // namespace unravel

#endif // UNRAVEL_TOOLS_KERNELFUZZ_SUBJECTS_H
