//===- CopyableCodeTest.cpp - Which assembly defines names? ---------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/launch/CopyableCode.h"
#include "gtest/gtest.h"

using namespace unravel;

namespace {

TEST(CopyableCode, LabelsAndDeclarationsDefineNames) {
  for (const char *Text :
       {"bra SKIP;\nSKIP:", "SKIP: add.s32 $0, $1, 1;", ".reg .b32 t;",
        "add.s32 $0, $1, 1; .reg .pred p;", "  \n .reg .b32 t;",
        "{ .reg .b32 t; } .reg .b32 u;", "// a comment\n.reg .b32 t;",
        "/* { */ .reg .b32 t; /* } */", "LOOP: mov.u32 $0, ${1:x};",
        "p: .callprototype (.reg .b32 _) _ (.reg .b32 _);"})
    EXPECT_TRUE(definesNames(Text)) << Text;
}

TEST(CopyableCode, LabelsAndDeclarationsDefineNames_negative) {
  for (const char *Text :
       {"", "bar.sync 0;", "add.s32 $0, $1, 1;",
        "{ .reg .b32 t; add.s32 t, $1, 1; mov.b32 $0, t; }",
        "{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, "
        "[$0], $1;\n@p bra DONE;\nbra WAIT;\nDONE:\n}",
        "ld.global.L1::no_allocate.v2.b32 {$0, $1}, [$2];",
        "@$1 st.global.b32 [$0], ${2:n};", "// SKIP: .reg\nadd.s32 $0, $1, 1;",
        "/* SKIP: */ add.s32 $0, $1, 1; // .reg",
        "SKIP${:uid}: add.s32 $0, $1, 1;", ".reg .b32 t${:uid};",
        "bra SKIP${:uid};\nSKIP${:uid}:", ".pragma \"nounroll\";",
        ".loc 1 5 7; add.s32 $0, $1, 1;", ".reg .b32 t${:uid}, u${:uid};",
        "A${:uid}: B${:uid}: add.s32 $0, $1, 1;", "mov.u32 $0, %laneid; $$x"})
    EXPECT_FALSE(definesNames(Text)) << Text;
}

// What is no PTX is not copied.
TEST(CopyableCode, UnbalancedTextIsNotClear) {
  for (const char *Text : {"{", "}", "} add.s32 $0, $1, 1; {", "$( a $| b $)",
                           "${:comment} {\nA: mov.u32 $0, $1;\n${:comment} }",
                           "# 1 \"file\"\nmov.u32 $0, $1;"})
    EXPECT_TRUE(definesNames(Text)) << Text;
}

} // namespace
