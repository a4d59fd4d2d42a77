//===- SeedLine.cpp - The name of a generated kernel ----------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-fuzz/random/SeedLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace unravel {

static constexpr StringRef Names[] = {
    "reshape", "guards",  "loops", "addresses", "narrow",
    "wide",    "runtime", "mixed", "vectors",   "floors"};

ArrayRef<StringRef> profileNames() { return Names; }

std::string SeedLine::str() const {
  return ("kernel-fuzz v1 profile=" + Names[unsigned(Kind)] +
          " seed=" + Twine(Seed))
      .str();
}

SeedLine SeedLine::number(uint64_t N) {
  return {Profile(N % unsigned(Profile::Vectors)), N};
}

Expected<SeedLine> SeedLine::parse(StringRef Text) {
  auto Fail = [&](const Twine &Reason) {
    return make_error<StringError>(
        "'" + Text.trim() + "': " + Reason +
            "; a seed line reads 'kernel-fuzz v1 profile=reshape seed=123'",
        inconvertibleErrorCode());
  };
  SmallVector<StringRef, 4> Words;
  SplitString(Text, Words);
  if (Words.size() != 4 || Words[0] != "kernel-fuzz")
    return Fail("not a seed line");
  if (Words[1] != "v1")
    return Fail("version " + Words[1] + " is not known here");
  SeedLine Line;
  if (!Words[2].consume_front("profile="))
    return Fail("no profile");
  auto Name = find(Names, Words[2]);
  if (Name == std::end(Names))
    return Fail("no profile is called '" + Words[2] + "', there are " +
                join(profileNames(), ", "));
  Line.Kind = Profile(Name - std::begin(Names));
  if (!Words[3].consume_front("seed=") || Words[3].getAsInteger(10, Line.Seed))
    return Fail("the seed is not a number");
  return Line;
}

} // namespace unravel
