// What a request of a warp costs, computed from the program of its addresses.
// No page is needed: the functions take data and return data.
//
// Values are BigInts, the bits of a word; null has no value: a division by zero,
// a shift by the width.
"use strict";
const model = (() => {
  const LANES = 32;
  const SECTOR = 32n, LINE = 128n, WORD = 4n, BANKS = 32n;
  // Objects lie far from each other: the one with the number b at b * 2^40.
  const OBJECT = 1n << 40n;

  const signed = (x, width) => BigInt.asIntN(width, x);
  const floorDiv = (a, b) => (a - (((a % b) + b) % b)) / b;
  const least = (width) => -(1n << BigInt(width - 1));

  // By LLVM's names: the result for the operands and their width, of any sign
  // and size; the caller cuts it to the width of the result.
  const isShift = (b, width) => b < BigInt(width);
  const overflows = (a, b, w) => signed(a, w) === least(w) && signed(b, w) === -1n;
  const compute = {
    "add": (a, b) => a + b,
    "sub": (a, b) => a - b,
    "mul": (a, b) => a * b,
    "shl": (a, b, w) => (isShift(b, w) ? a << b : null),
    "lshr": (a, b, w) => (isShift(b, w) ? a >> b : null),
    "ashr": (a, b, w) => (isShift(b, w) ? signed(a, w) >> b : null),
    "udiv": (a, b) => (b === 0n ? null : a / b),
    "urem": (a, b) => (b === 0n ? null : a % b),
    "sdiv": (a, b, w) =>
      b === 0n || overflows(a, b, w) ? null : signed(a, w) / signed(b, w),
    "srem": (a, b, w) =>
      b === 0n || overflows(a, b, w) ? null : signed(a, w) % signed(b, w),
    "and": (a, b) => a & b,
    "or": (a, b) => a | b,
    "xor": (a, b) => a ^ b,
    "umin": (a, b) => (a < b ? a : b),
    "umax": (a, b) => (a > b ? a : b),
    "smin": (a, b, w) => (signed(a, w) < signed(b, w) ? a : b),
    "smax": (a, b, w) => (signed(a, w) > signed(b, w) ? a : b),
    "icmp eq": (a, b) => a === b,
    "icmp ne": (a, b) => a !== b,
    "icmp ult": (a, b) => a < b,
    "icmp ule": (a, b) => a <= b,
    "icmp ugt": (a, b) => a > b,
    "icmp uge": (a, b) => a >= b,
    "icmp slt": (a, b, w) => signed(a, w) < signed(b, w),
    "icmp sle": (a, b, w) => signed(a, w) <= signed(b, w),
    "icmp sgt": (a, b, w) => signed(a, w) > signed(b, w),
    "icmp sge": (a, b, w) => signed(a, w) >= signed(b, w),
    "trunc": (a) => a,
    "zext": (a) => a,
    "sext": (a, b, w) => signed(a, w),
    "abs": (a, b, w) => (signed(a, w) < 0n ? -signed(a, w) : a),
  };
  const funnel = (name, a, b, c, width) => {
    const w = BigInt(width), both = (a << w) | b, by = c % w;
    return name === "fshl" ? both >> (w - by) : both >> by;
  };

  // Of one lane; the operands are values of it.
  function apply(name, width, operands, operandWidth) {
    if (name === "select") {
      if (operands[0] === null) return null;
      return operands[0] ? operands[1] : operands[2];
    }
    if (operands.includes(null)) return null;
    const [a, b, c] = operands;
    const result = name === "fshl" || name === "fshr"
      ? funnel(name, a, b, c, width)
      : compute[name](a, b, operandWidth);
    return result === null ? null : BigInt.asUintN(width, BigInt(result));
  }

  function register(name, kernel, state, lane) {
    const [x, y, z] = kernel.block;
    // Lanes beyond the block take no part.
    const t = Math.min(state.warp * LANES + lane, x * y * z - 1);
    const axis = "xyz".indexOf(name.slice(-1));
    switch (name.split(".")[0]) {
      case "tid": return [t % x, Math.floor(t / x) % y, Math.floor(t / x / y)][axis];
      case "ntid": return kernel.block[axis];
      case "ctaid": return state.block[axis];
      case "nctaid": return state.grid[axis];
      case "laneid": return lane;
      default: return LANES; // warpsize
    }
  }

  // The operations that the given ones need, themselves included.
  function needed(kernel, roots) {
    const found = new Set(roots), stack = [...roots];
    while (stack.length) {
      const [name, , ...operands] = kernel.operations[stack.pop()];
      if (["constant", "input", "register", "iteration"].includes(name)) continue;
      for (const o of operands)
        if (!found.has(o)) found.add(o), stack.push(o);
    }
    return found;
  }

  // An array of 32 values for each operation that is needed.
  function evaluate(kernel, roots, state) {
    const values = [];
    const all = [...needed(kernel, roots)].sort((a, b) => a - b);
    for (const number of all) {
      const [name, width, ...operands] = kernel.operations[number];
      const ofLane = (lane) => {
        switch (name) {
          case "constant": return BigInt(operands[0]);
          case "register":
            return BigInt(register(operands[0], kernel, state, lane));
          case "iteration": return state.steps[operands[0]];
          case "input": {
            const base = kernel.inputs[operands[0]].base;
            const chosen = state.inputs[operands[0]];
            return base ? BigInt(base) * OBJECT + chosen : chosen;
          }
        }
        const of = operands.map((o) => values[o][lane]);
        return apply(name, width, of, kernel.operations[operands[0]][1]);
      };
      values[number] = Array.from({ length: LANES }, (_, lane) => {
        const value = ofLane(lane);
        return value === null ? null : BigInt.asUintN(width, value);
      });
    }
    return values;
  }

  // The rules of analysis/access/RequestCost.

  const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const unique = (list) => [...new Set(list)].sort(ascending);

  // The aligned pieces of so many bytes that hold a byte of the accesses.
  function pieces(firsts, bytes, size) {
    const all = [];
    for (const first of firsts) {
      const last = floorDiv(first + BigInt(bytes) - 1n, size);
      for (let p = floorDiv(first, size); p <= last; ++p) all.push(p);
    }
    return unique(all);
  }

  function globalCost(addresses, bytes) {
    const firsts = unique(addresses.filter((a) => a !== null));
    let asked = 0n;
    firsts.forEach((first, i) => {
      const gap = i + 1 < firsts.length ? firsts[i + 1] - first : BigInt(bytes);
      asked += gap < BigInt(bytes) ? gap : BigInt(bytes);
    });
    const sectors = pieces(firsts, bytes, SECTOR).length;
    return {
      bytes: Number(asked),
      sectors,
      lines: pieces(firsts, bytes, LINE).length,
      ideal: Math.ceil(Number(asked) / Number(SECTOR)),
      efficiency: sectors ? Number(asked) / (sectors * Number(SECTOR)) : null,
    };
  }

  const bankOf = (address) => Number(BigInt.asUintN(5, floorDiv(address, WORD)));

  function sharedCost(addresses, bytes) {
    const size = bytes <= 4 ? LANES : bytes <= 8 ? LANES / 2 : LANES / 4;
    let wavefronts = 0, groups = 0;
    for (let begin = 0; begin < LANES; begin += size) {
      const firsts = addresses.slice(begin, begin + size).filter((a) => a !== null);
      if (!firsts.length) continue;
      const words = new Array(Number(BANKS)).fill(0);
      for (const word of pieces(firsts, bytes, WORD)) ++words[bankOf(word * WORD)];
      wavefronts += Math.max(...words);
      ++groups;
    }
    return {
      wavefronts,
      conflicts: wavefronts - groups,
      efficiency: wavefronts ? groups / wavefronts : null,
    };
  }

  // The request of a warp: for each lane its first byte, or null if it takes no
  // part. `undefined` names a lane whose address has no value; then there are
  // no numbers.
  function request(kernel, access, state) {
    const values = evaluate(kernel, [access.address, ...access.guards], state);
    const width = kernel.operations[access.address][1];
    const threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
    const addresses = new Array(LANES).fill(null);
    let without = null;
    for (let lane = 0; lane < LANES; ++lane) {
      if (state.warp * LANES + lane >= threads) continue;
      const guards = access.guards.map((g) => values[g][lane]);
      if (guards.includes(0n)) continue;
      const address = values[access.address][lane];
      if (address === null || guards.includes(null)) without = without ?? lane;
      else addresses[lane] = signed(address, width);
    }
    if (without !== null) return { addresses, without, cost: null };
    const cost = access.space === "shared"
      ? { ...sharedCost(addresses, access.bytes), bytes: globalCost(addresses, access.bytes).bytes }
      : globalCost(addresses, access.bytes);
    cost.lanes = addresses.filter((a) => a !== null).length;
    return { addresses, without, cost };
  }

  // What the request depends on: numbers of inputs and loops, registers.
  function dependencies(kernel, access) {
    const found = { inputs: new Set(), loops: new Set(), registers: new Set() };
    for (const number of needed(kernel, [access.address, ...access.guards])) {
      const [name, , operand] = kernel.operations[number];
      if (name === "input") found.inputs.add(operand);
      if (name === "iteration") found.loops.add(operand);
      if (name === "register") found.registers.add(operand);
    }
    return found;
  }

  // The last iteration that a lane of the warp takes part in, or null.
  function lastStep(kernel, access, loop, state) {
    const { last } = kernel.loops[loop];
    if (last === undefined) return null;
    const others = access.guards.filter((guard) =>
      ![...needed(kernel, [guard])].some((number) => {
        const [name, , operand] = kernel.operations[number];
        return name === "iteration" && operand === loop;
      }));
    const values = evaluate(kernel, [last, ...others], state);
    let result = null;
    for (let lane = 0; lane < LANES; ++lane)
      if (values[last][lane] !== null && others.every((g) => values[g][lane]))
        if (result === null || values[last][lane] > result)
          result = values[last][lane];
    return result;
  }

  // Requests of one block are looked at up to this number.
  const MAX_BLOCK_REQUESTS = 512;

  // Calls visit with a state for each iteration of the loops, null for those
  // whose last one is not known; these keep the step that is chosen.
  function forEachStep(kernel, access, loops, state, visit) {
    if (!loops.length) return visit(state);
    const [loop, ...rest] = loops;
    const last = lastStep(kernel, access, loop, state);
    if (last === null) return forEachStep(kernel, access, rest, state, visit);
    for (let step = 0n; step <= last; ++step) {
      const steps = [...state.steps];
      steps[loop] = step;
      if (!forEachStep(kernel, access, rest, { ...state, steps }, visit)) return false;
    }
    return true;
  }

  // The first bytes that the lanes of a whole block access, in all iterations;
  // null if they are too many, or some address has no value.
  function blockBytes(kernel, access, state) {
    const threads = kernel.block.reduce((a, b) => a * b);
    const loops = [...dependencies(kernel, access).loops].sort((a, b) => a - b);
    const found = new Set();
    let requests = 0;
    for (let warp = 0; warp * LANES < threads; ++warp) {
      const done = forEachStep(kernel, access, loops, { ...state, warp }, (now) => {
        if (++requests > MAX_BLOCK_REQUESTS) return false;
        const { addresses, without } = request(kernel, access, now);
        addresses.forEach((a) => { if (a !== null) found.add(a); });
        return without === null;
      });
      if (!done) return null;
    }
    return found;
  }

  // The axes of a box, the inner one first, as [stride, size]: all sums of one
  // multiple of each stride. Null if the sorted numbers are no box.
  function axesOf(numbers) {
    if (numbers.length <= 1) return [];
    const stride = numbers[1] - numbers[0];
    let size = 2;
    while (size < numbers.length && numbers[size] - numbers[size - 1] === stride) ++size;
    if (numbers.length % size) return null;
    const outer = [];
    for (let at = 0; at < numbers.length; at += size) {
      for (let i = 1; i < size; ++i)
        if (numbers[at + i] - numbers[at + i - 1] !== stride) return null;
      outer.push(numbers[at]);
    }
    const rest = axesOf(outer);
    return rest && [[stride, size], ...rest];
  }

  // What a block accesses, and what it shares with its neighbours.
  function blockTile(kernel, access, state) {
    const own = blockBytes(kernel, access, state);
    if (!own) return null;
    const { registers } = dependencies(kernel, access);
    const neighbours = [];
    ["x", "y", "z"].forEach((axis, i) => {
      if (!registers.has("ctaid." + axis)) return;
      for (const step of [-1, 1]) {
        const block = state.block.map((b, k) => b + (k === i ? step : 0));
        if (block[i] < 0 || block[i] >= state.grid[i]) continue;
        const bytes = blockBytes(kernel, access, { ...state, block });
        const shared = bytes && [...own].filter((b) => bytes.has(b)).length;
        neighbours.push({ axis, step, bytes, shared });
      }
    });
    const numbers = [...own].sort(ascending);
    return { numbers, axes: axesOf(numbers), neighbours };
  }

  // "%in + 12" as the name of the object and the distance.
  function placeOf(kernel, address) {
    const number = Number(floorDiv(address + OBJECT / 2n, OBJECT));
    const object = kernel.inputs.find((input) => input.base === number);
    return object
      ? { object: object.name, offset: address - BigInt(number) * OBJECT }
      : { object: "", offset: address };
  }

  // All that can be chosen, as the page begins.
  function firstState(kernel) {
    return {
      warp: 0,
      block: [0, 0, 0],
      grid: [64, 64, 64],
      steps: kernel.loops.map(() => 0n),
      inputs: kernel.inputs.map((input) => BigInt(input.value)),
    };
  }

  return { LANES, apply, globalCost, sharedCost, request, dependencies, lastStep,
    blockTile, axesOf, placeOf, firstState, bankOf, floorDiv };
})();
