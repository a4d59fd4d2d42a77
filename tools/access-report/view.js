// The part of the page that changes. Its state stands in the page's address,
//
//     page.html#kernel=f&access=2&warp=1&block=3,0,0&step=5&n=100
//
// where what is left out has its first value.
"use strict";
(() => {
  const { kernels } = JSON.parse(document.getElementById("programs").textContent);
  const MAX_SLIDER = 1023;

  // Text, and never markup.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== null) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  //--- The state -------------------------------------------------------------

  function wordsOfHash() {
    const words = new Map();
    for (const part of location.hash.slice(1).split("&")) {
      const at = part.indexOf("=");
      if (at < 0) continue;
      try {
        words.set(decodeURIComponent(part.slice(0, at)),
          decodeURIComponent(part.slice(at + 1)));
      } catch {} // a broken escape
    }
    return words;
  }

  const whole = (text) => /^-?\d{1,20}$/.test(text ?? "") ? BigInt(text) : null;
  const clamp = (x, most) => Math.max(0, Math.min(Number(x ?? 0n), most));
  const axes = (text, first, least) => {
    const parts = (text ?? "").split(",");
    return first.map((value, i) => {
      const given = whole(parts[i]);
      return given === null ? value : Math.max(least, clamp(given, 2 ** 31 - 1));
    });
  };

  function readState() {
    const words = wordsOfHash();
    const at = Math.max(0, kernels.findIndex((k) => k.name === words.get("kernel")));
    const kernel = kernels[at], state = model.firstState(kernel);
    const drawn = kernel.accesses.findIndex((a) => !a.why);
    const access = words.has("access")
      ? clamp((whole(words.get("access")) ?? 1n) - 1n, kernel.accesses.length - 1)
      : Math.max(0, drawn);
    const threads = kernel.block.reduce((a, b) => a * b);
    state.warp = clamp(whole(words.get("warp")), Math.ceil(threads / model.LANES) - 1);
    state.grid = axes(words.get("grid"), state.grid, 1);
    state.block = axes(words.get("block"), state.block, 0);
    kernel.loops.forEach((loop, i) => {
      const step = whole(words.get(loop.key));
      if (step !== null && step >= 0n) state.steps[i] = step;
    });
    kernel.inputs.forEach((input, i) => {
      state.inputs[i] = whole(words.get(input.key)) ?? state.inputs[i];
    });
    return { at, kernel, access, state };
  }

  function writeState({ kernel, access, state }) {
    const first = model.firstState(kernel);
    const words = [["kernel", kernel.name], ["access", access + 1]];
    const add = (key, value, usual) => {
      if (String(value) !== String(usual)) words.push([key, value]);
    };
    add("warp", state.warp, 0);
    add("block", state.block, first.block);
    add("grid", state.grid, first.grid);
    kernel.loops.forEach((loop, i) => add(loop.key, state.steps[i], 0n));
    kernel.inputs.forEach((input, i) =>
      add(input.key, state.inputs[i], first.inputs[i]));
    history.replaceState(null, "", "#" + words.map((pair) =>
      pair.map((word) => encodeURIComponent(word).replaceAll("%2C", ",")).join("=")).join("&"));
  }

  //--- What can be chosen ----------------------------------------------------

  // A number field, and a slider if there is a last value.
  function control(label, key, value, most, choose, hint = null) {
    const id = "choose-" + key;
    const row = element("div", { class: "control", title: hint },
      element("label", { for: id }, label));
    const field = element("input",
      { type: "number", id, value, "data-key": key, min: most === null ? null : 0 });
    field.addEventListener("change", () => {
      const given = whole(field.value);
      if (given !== null) choose(given);
    });
    if (most !== null) {
      const slider = element("input", { type: "range", min: 0,
        max: Math.max(most, Number(value)), value, "aria-label": label });
      slider.addEventListener("input", () => choose(BigInt(slider.value)));
      row.append(slider);
    }
    row.append(field);
    return row;
  }

  function controls(now) {
    const { kernel, state } = now;
    const access = kernel.accesses[now.access];
    const needs = model.dependencies(kernel, access);
    const box = element("div", { class: "controls" });
    const change = (edit) => (value) => {
      edit(value);
      writeState(now);
      render(document.activeElement?.id);
    };
    const threads = kernel.block.reduce((a, b) => a * b);
    const warps = Math.ceil(threads / model.LANES);
    box.append(control("warp", "warp", state.warp, warps - 1,
      change((v) => { state.warp = clamp(v, warps - 1); })));
    ["x", "y", "z"].forEach((axis, i) => {
      if (needs.registers.has("ctaid." + axis))
        box.append(control("block " + axis, "block." + axis, state.block[i],
          Math.min(state.grid[i] - 1, MAX_SLIDER),
          change((v) => { state.block[i] = clamp(v, 2 ** 31 - 1); })));
      if (needs.registers.has("nctaid." + axis))
        box.append(control("blocks in " + axis, "grid." + axis, state.grid[i], null,
          change((v) => { state.grid[i] = Math.max(1, clamp(v, 2 ** 31 - 1)); })));
    });
    for (const loop of [...needs.loops].sort((a, b) => a - b)) {
      const last = model.lastStep(kernel, access, loop, state);
      const { key, name } = kernel.loops[loop];
      const most = last === null ? 31 : clamp(last, MAX_SLIDER);
      box.append(control(name ? "step of " + name : "loop " + key, key,
        state.steps[loop], most,
        change((v) => { state.steps[loop] = v < 0n ? 0n : v; }),
        last === null ? "how often the loop runs is not known" : "0 to " + last));
    }
    for (const number of [...needs.inputs].sort((a, b) => a - b)) {
      const input = kernel.inputs[number];
      box.append(control(input.base ? input.name + " +" : input.name, input.key,
        state.inputs[number], null, change((v) => { state.inputs[number] = v; }),
        input.why ?? (input.base ? "bytes behind an aligned address" : "an argument")));
    }
    return box;
  }

  //--- Pictures --------------------------------------------------------------

  const colorOf = (number) => "c" + (number % 8);

  // For each byte its sector (counted from the first) or its bank.
  function pieceNames(access, request) {
    if (access.space === "shared")
      return { kind: "bank", of: (address) => model.bankOf(address) };
    const all = new Set();
    for (const first of request.addresses)
      if (first !== null)
        for (let b = 0; b < access.bytes; ++b)
          all.add(model.floorDiv(first + BigInt(b), 32n));
    const order = [...all].sort((a, b) => (a < b ? -1 : 1));
    const ranks = new Map(order.map((sector, rank) => [sector, rank]));
    return { kind: "sector", of: (address) => ranks.get(model.floorDiv(address, 32n)) };
  }

  const textOfPlace = ({ object, offset }) =>
    object === "" ? String(offset)
      : object + (offset < 0n ? " - " + -offset : " + " + offset);

  // Lanes from left to right, their bytes from top to bottom.
  function laneGrid(kernel, access, request, names) {
    const head = element("tr", {}, element("th", {}, "byte"));
    for (let lane = 0; lane < model.LANES; ++lane)
      head.append(element("th", { scope: "col" }, String(lane)));
    const table = element("table", { class: "grid", id: "lanes" },
      element("caption", {}, "The " + names.kind + " of each byte of each lane"), head);
    for (let byte = 0; byte < access.bytes; ++byte) {
      const row = element("tr", {}, element("th", { scope: "row" }, String(byte)));
      request.addresses.forEach((first, lane) => {
        if (first === null) {
          row.append(element("td", { class: "off", "data-lane": lane, "data-byte": byte,
            title: "lane " + lane + " takes no part" }, "–"));
          return;
        }
        const address = first + BigInt(byte), piece = names.of(address);
        const place = model.placeOf(kernel, address);
        row.append(element("td", { class: colorOf(piece), "data-lane": lane,
          "data-byte": byte, ["data-" + names.kind]: piece, "data-offset": place.offset,
          title: `lane ${lane}, byte ${byte}: ${textOfPlace(place)}` }, String(piece)));
      });
      table.append(row);
    }
    return table;
  }

  // "0-3,7"
  function ranges(numbers) {
    const parts = [];
    for (let i = 0; i < numbers.length;) {
      let j = i;
      while (numbers[j + 1] === numbers[j] + 1) ++j;
      parts.push(i === j ? numbers[i] : numbers[i] + "-" + numbers[j]);
      i = j + 1;
    }
    return parts.join(",");
  }

  // Memory in rows of 128 bytes, and which lanes want which word.
  function memoryMap(kernel, access, request, names) {
    const words = new Map(), moved = new Set();
    request.addresses.forEach((first, lane) => {
      if (first === null) return;
      for (let b = 0; b < access.bytes; ++b) {
        const word = model.floorDiv(first + BigInt(b), 4n);
        if (!words.has(word)) words.set(word, new Set());
        words.get(word).add(lane);
        if (access.space !== "shared") moved.add(model.floorDiv(word, 8n));
      }
    });
    const rows = [...new Set([...words.keys()].map((w) => model.floorDiv(w, 32n)))]
      .sort((a, b) => (a < b ? -1 : 1));
    const head = element("tr", {}, element("th", {}, ""));
    for (let i = 0; i < 32; ++i)
      head.append(element("th", { scope: "col" },
        String(access.space === "shared" ? i : 4 * i)));
    const table = element("table", { class: "grid", id: "memory" },
      element("caption", {}, access.space === "shared"
        ? "Shared memory by banks: the lanes that want each word"
        : "Memory by lines of 128 bytes, four sectors each: the lanes that want each word; " +
          "· is moved and not used"), head);
    for (const row of rows) {
      const line = element("tr", {}, element("th", { scope: "row" },
        textOfPlace(model.placeOf(kernel, row * 128n))));
      for (let i = 0n; i < 32n; ++i) {
        const word = row * 32n + i, lanes = words.get(word);
        const edge = access.space !== "shared" && i % 8n === 0n ? " edge" : "";
        if (lanes)
          line.append(element("td", { class: colorOf(names.of(word * 4n)) + edge,
            "data-word": word - rows[0] * 32n }, ranges([...lanes].sort((a, b) => a - b))));
        else if (moved.has(model.floorDiv(word, 8n)))
          line.append(element("td", { class: "moved" + edge }, "·"));
        else line.append(element("td", { class: edge.trim() }));
      }
      table.append(line);
    }
    return table;
  }

  const numbersOf = (access) => access.space === "shared"
    ? [["lanes", "active lanes"], ["bytes", "bytes"], ["wavefronts", "wavefronts"],
       ["conflicts", "bank conflicts"], ["efficiency", "efficiency"]]
    : [["lanes", "active lanes"], ["bytes", "bytes"], ["sectors", "sectors"],
       ["lines", "lines"], ["ideal", "ideal sectors"], ["efficiency", "efficiency"]];

  // As the report prints it: half to even.
  function twoDecimals(x) {
    if (x === null) return "–";
    const hundredths = Math.floor(x * 100), rest = x * 100 - hundredths;
    const up = rest > 0.5 || (rest === 0.5 && hundredths % 2 === 1);
    return ((hundredths + up) / 100).toFixed(2);
  }

  function costTable(access, cost) {
    const list = element("dl", { class: "cost" });
    for (const [key, title] of numbersOf(access)) {
      const value = cost[key];
      const text = key === "efficiency" ? twoDecimals(value) : String(value);
      list.append(element("div", {}, element("dt", {}, title),
        element("dd", { "data-number": key }, text)));
    }
    return list;
  }

  function notes({ kernel }, access) {
    const list = element("ul", { class: "notes" });
    const needs = model.dependencies(kernel, access);
    for (const number of needs.inputs) {
      const { name, why, differs } = kernel.inputs[number];
      if (why)
        list.append(element("li", {}, differs
          ? `${name} is taken to be the same in all lanes: ${why}`
          : `${name} is what you choose: ${why}`));
    }
    for (const what of new Set(access.taken))
      list.append(element("li", {}, "taken to hold in all lanes: " + what));
    return list;
  }

  //--- The tile of a block ------------------------------------------------------

  const MAX_POINTS = 640;

  // Rows of a matrix, where the box has such: the inner axis and the one around
  // it. Otherwise one row.
  function drawTile(access, tile, list) {
    const bytes = BigInt(access.bytes);
    const pitch = tile.axes.length > 1 ? tile.axes[1][0] : null;
    const all = [...tile.numbers, ...tile.neighbours.flatMap((n) => n.bytes ? [...n.bytes] : [])];
    let low = all[0], high = all[0];
    for (const b of all) {
      if (b < low) low = b;
      if (b > high) high = b;
    }
    const origin = pitch === null ? low : BigInt(low) - (((low % pitch) + pitch) % pitch);
    const width = Number(((pitch ?? high - low + bytes) + bytes - 1n) / bytes);
    const height = pitch === null ? 1 : Number((high - origin) / pitch) + 1;
    const columns = Math.min(width, MAX_POINTS), rows = Math.min(height, MAX_POINTS);
    const cell = Math.max(1, Math.min(12, Math.floor(MAX_POINTS / Math.max(columns, rows))));
    const canvas = element("canvas", { id: "tile", width: columns * cell,
      height: rows * cell, role: "img", "aria-label": "The tile of the block in the array" });
    const context = canvas.getContext("2d");
    const paint = (numbers, color) => {
      context.fillStyle = color;
      for (const b of numbers) {
        const row = pitch === null ? 0 : Number((b - origin) / pitch);
        const column = Number((pitch === null ? b - origin : (b - origin) % pitch) / bytes);
        context.fillRect(Math.floor(column * columns / width) * cell,
          Math.floor(row * rows / height) * cell, cell, cell);
      }
    };
    const near = new Set(tile.neighbours.flatMap((n) => n.bytes ? [...n.bytes] : []));
    paint(near, "#eedd88");
    paint(tile.numbers, "#77aadd");
    paint(tile.numbers.filter((b) => near.has(b)), "#ee8866");
    list.append(element("p", { class: "notes" }, pitch === null
      ? `${width} elements in a row: the tile, yellow: neighbouring blocks, red: both`
      : `rows of ${width} elements: the tile, yellow: neighbouring blocks, red: both`), canvas);
  }

  function blockPart(kernel, access, state) {
    const part = element("div", { id: "block-tile" }, element("h4", {}, "The whole block"));
    const tile = model.blockTile(kernel, access, state);
    if (!tile || !tile.numbers.length) {
      part.append(element("p", { class: "notes" }, tile ? "No lane takes part."
        : "It has too many requests, or an address without a value."));
      return part;
    }
    for (const loop of model.dependencies(kernel, access).loops)
      if (model.lastStep(kernel, access, loop, state) === null)
        part.append(element("p", { class: "notes" },
          `Of ${kernel.loops[loop].key}, whose end is not known, the chosen step only.`));
    const list = element("dl", { class: "cost" });
    const add = (key, title, text) => list.append(element("div", {},
      element("dt", {}, title), element("dd", { "data-block": key }, text)));
    add("elements", "elements", String(tile.numbers.length));
    for (const { axis, step, shared } of tile.neighbours)
      if (step === 1)
        add("shared." + axis, "shared with the next block along " + axis,
          shared === null ? "not known" : String(shared));
    part.append(list);
    if (!tile.axes) {
      part.append(element("p", { class: "notes" }, "They are no box."));
      return part;
    }
    add("box", "box, stride x size in bytes", tile.axes.length
      ? tile.axes.map(([stride, size]) => `${stride} x ${size}`).join(", ") : "one element");
    add("offset", "offset", textOfPlace(model.placeOf(kernel, tile.numbers[0])));
    drawTile(access, tile, part);
    return part;
  }

  //--- The page --------------------------------------------------------------

  function panel(now) {
    const { kernel, state } = now;
    const access = kernel.accesses[now.access];
    if (!access) return element("p", {}, "This kernel accesses no memory.");
    const box = element("div", { class: "panel", id: "panel" },
      element("h3", {}, `Access ${now.access + 1}: ${access.label}`));
    if (access.why) {
      box.append(element("p", { id: "why" }, "Not drawn: " + access.why));
      return box;
    }
    const request = model.request(kernel, access, state);
    box.append(controls(now));
    if (request.without !== null) {
      box.append(element("p", { id: "why" }, `No numbers: in lane ${request.without} ` +
        "something has no value, such as a division by zero."));
      return box;
    }
    const names = pieceNames(access, request);
    box.append(costTable(access, request.cost), notes(now, access),
      element("div", { class: "scroll" }, laneGrid(kernel, access, request, names)));
    if (request.cost.lanes > 0)
      box.append(element("div", { class: "scroll" },
        memoryMap(kernel, access, request, names)));
    box.append(blockPart(kernel, access, state));
    return box;
  }

  function render(focus) {
    const now = readState();
    kernels.forEach((kernel, i) => {
      document.getElementById(kernel.section).hidden = i !== now.at;
      document.getElementById(kernel.section + "-panel").replaceChildren();
    });
    document.querySelectorAll("[aria-current]").forEach((marked) =>
      marked.removeAttribute("aria-current"));
    const { section } = now.kernel;
    document.getElementById(section + "-link").setAttribute("aria-current", "page");
    document.querySelectorAll(`[data-of="${section}-${now.access + 1}"]`)
      .forEach((marked) => marked.setAttribute("aria-current", "true"));
    document.getElementById(section + "-panel").replaceChildren(panel(now));
    if (focus) document.getElementById(focus)?.focus();
  }

  if (kernels.length) {
    addEventListener("hashchange", () => render());
    render();
  }
})();
