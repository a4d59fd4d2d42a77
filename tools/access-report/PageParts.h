//===- PageParts.h - The files that the page is made of ---------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_ACCESS_REPORT_PAGEPARTS_H
#define UNRAVEL_TOOLS_ACCESS_REPORT_PAGEPARTS_H

namespace unravel {

/// page.css, model.js and view.js; the build writes them into a source.
extern const char *const PageStyle;
extern const char *const PageModel;
extern const char *const PageView;

} // namespace unravel

#endif // UNRAVEL_TOOLS_ACCESS_REPORT_PAGEPARTS_H
