//===- TileScript.cpp - What draws tiles on a page ------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/tile-page/TileScript.h"

const char *const unravel::TileStyle = R"~part~(
nav a { margin-right: 1rem; }
[aria-current] { font-weight: 700; }
.controls { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; }
.control { display: flex; align-items: center; gap: .4rem; }
.control input[type=number] { width: 6rem; font: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
canvas { border: 1px solid var(--line); max-width: 100%; }
.key span { display: inline-block; width: 1rem; height: 1rem; margin: 0 .3rem 0 1rem;
  vertical-align: -.15rem; }
.tile { background: #77aadd; } .next { background: #eedd88; }
.both { background: #ee8866; }
)~part~";

const char *const unravel::TileModel = R"~part~(
"use strict";
const tileModel = (() => {
  // The number of the tile at the index, the last dimension fastest.
  const numberOf = (table, at) =>
    table.counts.reduce((number, count, d) => number * count + at[d], 0);

  const touches = ([offset, size, stride], index) =>
    index >= offset && index <= offset + stride * (size - 1) &&
    (index - offset) % stride === 0;

  // Whether some element of the progression is in [begin, end).
  function touchesRange([offset, size, stride], begin, end) {
    if (size === 0) return false;
    const step = Math.max(0, Math.ceil((begin - offset) / stride));
    return step < size && offset + stride * step < end;
  }

  // For each of `pixels` equal parts of a dimension of the array, whether the
  // tile touches it. Small arrays have a part for each element.
  function mask(progression, first, size, pixels) {
    return Array.from({ length: pixels }, (_, p) =>
      touchesRange(progression, first + Math.floor(p * size / pixels),
        first + Math.max(Math.floor((p + 1) * size / pixels),
          Math.floor(p * size / pixels) + 1)));
  }

  // Tiles next to the one at the index, with the dimension that they are along.
  function neighbours(table, at) {
    const found = [];
    table.counts.forEach((count, d) => {
      for (const step of [-1, 1]) {
        const to = at.map((i, k) => i + (k === d ? step : 0));
        if (to[d] >= 0 && to[d] < count)
          found.push({ along: d, at: to, tile: table.tiles[numberOf(table, to)] });
      }
    });
    return found;
  }

  // What is drawn of a tile in the plane of dimensions x and y of the array
  // where the others have the indices `others`: masks of columns and rows, null
  // where it has nothing there.
  function picture(table, tile, view) {
    if (!tile.box || tile.box.some(([, size]) => size === 0)) return null;
    for (let d = 0; d < table.sizes.length; ++d)
      if (d !== view.x && d !== view.y && !touches(tile.box[d], view.others[d]))
        return null;
    const of = (d, pixels) => d === null ? [true]
      : mask(tile.box[d], table.first[d], table.sizes[d], pixels);
    return { columns: of(view.x, view.width), rows: of(view.y, view.height) };
  }

  // The state, from the words of the page's address.
  function readState(tables, words) {
    const number = (key, least, most, usual) => {
      const text = words.get(key) ?? "";
      if (!/^-?\d{1,15}$/.test(text)) return usual;
      return Math.max(least, Math.min(Number(text), most));
    };
    const map = number("map", 1, tables.length, 1) - 1, table = tables[map];
    const rank = table.sizes.length;
    const at = table.counts.map((count, d) => number("i" + d, 0, count - 1, 0));
    const tile = table.tiles[numberOf(table, at)];
    let y = null, x = null;
    if (rank > 0) x = number("x", 0, rank - 1, rank - 1);
    if (rank > 1) {
      y = number("y", 0, rank - 1, rank - 2);
      if (y === x) y = x === 0 ? 1 : 0;
    }
    const others = table.sizes.map((size, d) =>
      number("d" + d, table.first[d], table.first[d] + Math.max(size, 1) - 1,
        tile.box ? tile.box[d][0] : table.first[d]));
    return { map, at, x, y, others };
  }

  // How many points a dimension is drawn with, at most so many.
  const pixelsOf = (table, d, most) =>
    d === null ? 1 : Math.max(1, Math.min(table.sizes[d], most));

  return { numberOf, neighbours, picture, readState, pixelsOf };
})();
)~part~";

const char *const unravel::TileView = R"~part~(
// The state stands in the page's address, page.html#map=2&i0=3&i1=0&x=1&y=0&d2=5.
"use strict";
(() => {
  const tables = JSON.parse(document.getElementById("tables-data").textContent);
  const MAX_WIDTH = 640, MAX_HEIGHT = 480;

  // Text, and never markup.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  const words = () => new Map(location.hash.slice(1).split("&").map((part) =>
    part.split("=")).filter((pair) => pair.length === 2));

  function choose(key, value) {
    const state = words();
    state.set(key, value);
    history.replaceState(null, "", "#" + [...state].map((pair) => pair.join("=")).join("&"));
    render(document.activeElement?.id);
  }

  function control(label, key, value, least, most) {
    const field = element("input", { type: "number", id: "choose-" + key,
      "data-key": key, value, min: least, max: most });
    const slider = element("input", { type: "range", min: least, max: most, value,
      id: "slide-" + key, "aria-label": label });
    field.addEventListener("change", () => choose(key, field.value));
    slider.addEventListener("input", () => choose(key, slider.value));
    return element("div", { class: "control" },
      element("label", { for: "choose-" + key }, label), slider, field);
  }

  function axisChoice(label, key, value, rank) {
    const list = element("select", { id: "choose-" + key, "data-key": key });
    for (let d = 0; d < rank; ++d) {
      const option = element("option", { value: d }, "dimension " + d);
      option.selected = d === value;
      list.append(option);
    }
    list.addEventListener("change", () => choose(key, list.value));
    return element("div", { class: "control" },
      element("label", { for: "choose-" + key }, label), list);
  }

  function controls(table, state) {
    const box = element("div", { class: "controls" });
    table.counts.forEach((count, d) => box.append(
      control("tile along d" + d, "i" + d, state.at[d], 0, count - 1)));
    const rank = table.sizes.length;
    if (rank > 2) box.append(axisChoice("across", "x", state.x, rank),
      axisChoice("down", "y", state.y, rank));
    table.sizes.forEach((size, d) => {
      if (d !== state.x && d !== state.y)
        box.append(control("index " + d + " of the array", "d" + d, state.others[d],
          table.first[d], table.first[d] + size - 1));
    });
    return box;
  }

  function numbers(table, tile) {
    const list = element("dl", {});
    const add = (name, text, key) => list.append(element("dt", {}, name),
      element("dd", key ? { "data-number": key } : {}, text));
    for (const [name, text] of table.facts) add(name, text, "");
    if (!tile.box) {
      add("no box", tile.why, "why");
      return list;
    }
    const part = (i) => tile.box.map((axis) => axis[i]).join(", ");
    add("offset", part(0), "offset");
    add("size", part(1), "size");
    add("stride", part(2), "stride");
    add("elements", String(tile.box.reduce((n, axis) => n * BigInt(axis[1]), 1n)), "elements");
    add("shared with the next tile along each dimension",
      tile.shared.map((count) => count ?? "not known").join(", "), "shared");
    return list;
  }

  function draw(table, state, tile) {
    const width = tileModel.pixelsOf(table, state.x, MAX_WIDTH);
    const height = tileModel.pixelsOf(table, state.y, MAX_HEIGHT);
    const cell = Math.max(1, Math.min(16, Math.floor(MAX_WIDTH / width),
      Math.floor(MAX_HEIGHT / height)));
    const canvas = element("canvas", { width: width * cell, height: height * cell,
      id: "array", role: "img", "aria-label": "The array and the tile" });
    const context = canvas.getContext("2d");
    const view = { ...state, width, height };
    const own = tileModel.picture(table, tile, view);
    const next = tileModel.neighbours(table, state.at)
      .map((other) => tileModel.picture(table, other.tile, view)).filter(Boolean);
    let drawn = 0, both = 0;
    for (let y = 0; y < height; ++y)
      for (let x = 0; x < width; ++x) {
        const isOwn = own && own.columns[x] && own.rows[y];
        const isNext = next.some((p) => p.columns[x] && p.rows[y]);
        if (isOwn) ++drawn;
        if (isOwn && isNext) ++both;
        if (!isOwn && !isNext) continue;
        context.fillStyle = isOwn ? (isNext ? "#ee8866" : "#77aadd") : "#eedd88";
        context.fillRect(x * cell, y * cell, cell, cell);
      }
    if (cell >= 4) {
      context.strokeStyle = "#8883";
      for (let x = 0; x <= width; ++x) context.strokeRect(x * cell, 0, 0, height * cell);
      for (let y = 0; y <= height; ++y) context.strokeRect(0, y * cell, width * cell, 0);
    }
    canvas.dataset.drawn = drawn;
    canvas.dataset.both = both;
    const scale = (d, pixels) => d === null ? "" :
      `dimension ${d}: ${table.sizes[d]} elements` +
      (pixels < table.sizes[d] ? ` on ${pixels} points` : "");
    return [element("p", {}, [scale(state.x, width), scale(state.y, height)]
      .filter(Boolean).join("; ")), canvas,
      element("p", { class: "key" }, element("span", { class: "tile" }), "the tile",
        element("span", { class: "next" }), "a neighbouring tile",
        element("span", { class: "both" }), "both")];
  }

  function render(focus) {
    const state = tileModel.readState(tables, words()), table = tables[state.map];
    const tile = table.tiles[tileModel.numberOf(table, state.at)];
    const links = element("nav", {});
    tables.forEach((other, i) => {
      const link = element("a", { href: "#map=" + (i + 1) }, other.title);
      if (i === state.map) link.setAttribute("aria-current", "page");
      links.append(link);
    });
    document.getElementById("tables").replaceChildren(links,
      element("h2", {}, table.title), controls(table, state), numbers(table, tile),
      ...draw(table, state, tile));
    if (focus) document.getElementById(focus)?.focus();
  }

  if (tables.length) {
    addEventListener("hashchange", () => render());
    render();
  }
})();
)~part~";
