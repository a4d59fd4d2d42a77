//===- SourceView.cpp - Code with its accesses marked ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/access-report/SourceView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace unravel {

namespace {
/// Notes the line of each instruction.
class LineWriter : public AssemblyAnnotationWriter {
public:
  void printInfoComment(const Value &V, formatted_raw_ostream &OS) override {
    Lines[&V] = OS.getLine();
  }
  DenseMap<const Value *, unsigned> Lines;
};
} // namespace

static SourceView viewOfIR(const KernelReport &Report) {
  SourceView View;
  View.Title = "LLVM IR";
  std::string Text;
  raw_string_ostream OS(Text);
  LineWriter Writer;
  Report.Kernel->Function->print(OS, &Writer);
  StringRef Rest = StringRef(Text).trim('\n');
  // A comment with its blank line may stand in front.
  unsigned Dropped =
      StringRef(Text).take_while([](char C) { return C == '\n'; }).size();
  SmallVector<StringRef, 0> Lines;
  Rest.split(Lines, '\n');
  for (StringRef Line : Lines)
    View.Lines.push_back(Line.split(", !dbg !").first.str());
  for (auto [Number, Access] : enumerate(Report.Accesses))
    if (auto It = Writer.Lines.find(Access.Access.Instruction);
        It != Writer.Lines.end())
      View.Accesses[It->second - Dropped + 1].push_back(Number);
  return View;
}

/// The line of \p I in \p Path; 0 if it is elsewhere, or not known.
static unsigned lineOf(const InputKernel &Kernel, const Instruction &I,
                       StringRef Path) {
  const DILocation *At = sourcePlace(I);
  if (!At)
    return 0;
  if (Kernel.Source) {
    ptx::SourcePlace Place =
        Kernel.Source->placeOf(Kernel.Places[At->getLine() - 1]);
    return Place.File == Path ? Place.Line : 0;
  }
  return At->getFilename() == Path ? At->getLine() : 0;
}

/// The lines of the kernel in its file: from its name, if that is known, to its
/// last instruction.
static SourceView viewOfFile(const KernelReport &Report, StringRef Path,
                             StringRef Text) {
  const InputKernel &Kernel = *Report.Kernel;
  SourceView View;
  View.Title = sys::path::filename(Path).str();
  for (auto [Number, Access] : enumerate(Report.Accesses))
    if (unsigned Line = lineOf(Kernel, *Access.Access.Instruction, Path))
      View.Accesses[Line].push_back(Number);
  unsigned First = 0, Last = 0;
  auto Take = [&](unsigned Line) {
    if (Line == 0)
      return;
    First = First == 0 ? Line : std::min(First, Line);
    Last = std::max(Last, Line);
  };
  for (const Instruction &I : instructions(*Kernel.Function))
    Take(lineOf(Kernel, I, Path));
  if (First == 0)
    return View;
  const DISubprogram *Named = Kernel.Function->getSubprogram();
  if (!Kernel.Source && Named && Named->getFilename() == Path)
    Take(Named->getLine());
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  View.FirstLine = First;
  for (unsigned Line = First; Line <= Last && Line <= Lines.size(); ++Line)
    View.Lines.push_back(Lines[Line - 1].rtrim().str());
  return View;
}

std::vector<SourceView> viewsOf(const KernelReport &Report, StringRef Path,
                                StringRef Text) {
  std::vector<SourceView> Views;
  if (!Report.Kernel->Function)
    return Views;
  SourceView OfFile = viewOfFile(Report, Path, Text);
  if (!OfFile.Lines.empty())
    Views.push_back(std::move(OfFile));
  Views.push_back(viewOfIR(Report));
  return Views;
}

} // namespace unravel
