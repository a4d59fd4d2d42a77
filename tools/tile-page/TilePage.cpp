//===- TilePage.cpp - Tiles as an HTML page -------------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/html/HtmlPage.h"
#include "tools/tile-page/TileScript.h"
#include "tools/tile-page/TileTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace unravel {

std::string renderTilePage(StringRef Title, json::Array Tables) {
  std::string Page;
  raw_string_ostream OS(Page);
  beginPage(OS, Title, TileStyle);
  if (Tables.empty())
    OS << "<p>There is no tile to draw.</p>\n";
  OS << "<div id=\"tables\"></div>\n"
        "<script type=\"application/json\" id=\"tables-data\">"
     << jsonInPage(json::Value(std::move(Tables))) << "</script>\n<script>"
     << TileModel << "</script>\n<script>" << TileView << "</script>\n";
  endPage(OS);
  return Page;
}

} // namespace unravel
