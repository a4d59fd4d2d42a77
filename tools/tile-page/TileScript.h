//===- TileScript.h - What draws tiles on a page ----------------*- C++ -*-===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNRAVEL_TOOLS_TILE_PAGE_TILESCRIPT_H
#define UNRAVEL_TOOLS_TILE_PAGE_TILESCRIPT_H

namespace unravel {

/// `const tileModel`: functions of data, which need no page.
extern const char *const TileModel;
/// Shows the tables in the element `tables`, as the page's address says.
extern const char *const TileView;
extern const char *const TileStyle;

} // namespace unravel

#endif // UNRAVEL_TOOLS_TILE_PAGE_TILESCRIPT_H
