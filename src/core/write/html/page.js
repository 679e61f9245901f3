// SPDX-License-Identifier: GPL-3.0-or-later
// What a page shows of a profile. All texts of the profile are hostile: they only ever become text nodes and attributes' values.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { words, strings, functions, frames } = data;
  const ROOT = 0, FOLDED = 1;
  // PvNodeMarks
  const NOISE = 1, NEW = 2, GONE = 4;
  const ROW_HEIGHT = 20, NARROW = 2, TEXT_PAD = 5, ROWS_PER_PAGE = 100;
  const NORMAL = 0, INLINED = 1, DIMMED = 2, FADED = 3, MATCH = 4;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const find = id => document.getElementById(id);
  const canvas = find("canvas"), scroller = find("scroller");

  // --- texts ---

  // As core/base/format.c writes numbers.
  const SCALES = {
    ns: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]],
    bytes: [60, 50, 40, 30, 20, 10].map((power, i) => [2 ** power, ["EiB", "PiB", "TiB", "GiB", "MiB", "KiB"][i]]),
    byte_ms: [40, 30, 20, 10, 0].map((power, i) => [2 ** power * 1000, ["TiB·s", "GiB·s", "MiB·s", "KiB·s", "B·s"][i]]),
  };
  const BASES = { ns: "ns", bytes: "B", byte_ms: "B·ms" };

  function formatCount(count) {
    return BigInt(Math.round(count)).toString().replace(/\B(?=(\d{3})+$)/g, data.numbers.separator);
  }

  function formatDecimals(number, n) {
    return number.toFixed(n).replace(".", data.numbers.point);
  }

  function formatAmount(amount, unit) {
    const scales = SCALES[unit];
    if (!scales)
      return formatCount(amount);
    for (let i = 0; i < scales.length; i++) {
      const scaled = amount / scales[i][0];
      if (scaled < (i + 1 < scales.length ? 1 - 0.5 * scales[i + 1][0] / scales[i][0] : 1))
        continue;
      const digits = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
      return (scaled < 9999.5 ? formatDecimals(scaled, digits) : formatCount(scaled)) + " " + scales[i][1];
    }
    return Math.round(amount) + " " + BASES[unit];
  }

  function formatSigned(amount, unit) {
    return (amount < 0 ? "−" : amount > 0 ? "+" : "") + formatAmount(Math.abs(amount), unit);
  }

  function formatPercent(part, whole) {
    return formatDecimals(whole > 0 ? 100 * part / whole : 0, 1) + " %";
  }

  function fill(text, ...values) {
    let next = 0;
    return text.replace(/%(?:([1-9])\$)?s/g, (place, n) => n ? values[n - 1] : values[next++]);
  }

  // An element; its children are nodes and texts.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
      if (typeof value === "function")
        element.addEventListener(name, value);
      else if (value !== undefined && value !== false)
        element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // --- frames and functions ---

  const nFunctions = functions.name.length;
  const functionOf = frame => frames.function[frame] >= 0 ? frames.function[frame] >> 1 : -1;
  const isInlined = frame => frames.function[frame] >= 0 && frames.function[frame] % 2 === 1;

  function nameOfFrame(frame) {
    const f = functionOf(frame);
    return f >= 0 ? strings[functions.name[f]] : frame === ROOT ? words.all : strings[-1 - frames.function[frame]];
  }

  function placeOf(frame) {
    const f = functionOf(frame);
    if (f < 0)
      return "";
    const file = frames.file && frames.file[frame] ? strings[frames.file[frame]] : strings[functions.file[f]];
    const line = frames.line ? frames.line[frame] : functions.line[f];
    const place = file && line ? file + ":" + line : file;
    return frames.address ? (place ? place + " · " : "") + "0x" + frames.address[frame] : place;
  }

  // Returns the function's name in the base, or the function that it is a part of; "" where a comparison knows of neither.
  const moreOf = f => f >= 0 && functions.more ? strings[functions.more[f]] : "";

  // --- trees ---

  class Tree {
    constructor(measure) {
      const { children, frame, ends, factor, folded, base, marks, steps } = measure.tree;
      const n = children.length;
      this.n = n;
      this.frame = frame;
      this.marks = marks;
      this.steps = steps;
      this.first = new Int32Array(n + 1);
      this.parent = new Int32Array(n);
      this.level = new Uint32Array(n);
      this.self = new Float64Array(n);
      this.total = new Float64Array(n);
      this.left = new Float64Array(n);
      this.folded = new Map();
      this.parent[0] = -1;
      for (let node = 0, next = 1, i = 0; node < n; node++) {
        this.first[node] = next;
        for (let c = 0; c < children[node]; c++, next++) {
          this.parent[next] = node;
          this.level[next] = this.level[node] + 1;
        }
        if (frame[node] === FOLDED)
          this.folded.set(node, folded[i++]);
      }
      this.first[n] = n;
      this.sum(ends, factor, this.self, this.total);
      if (base) {
        this.baseSelf = new Float64Array(n);
        this.base = new Float64Array(n);
        this.sum(base, factor, this.baseSelf, this.base);
      }
      for (let node = 0; node < n; node++)
        for (let c = this.first[node], x = this.left[node]; c < this.first[node + 1]; x += this.total[c++])
          this.left[c] = x;
    }

    sum(ends, factor, self, total) {
      for (let node = this.n - 1; node >= 0; node--) {
        self[node] = ends[node] * factor;
        total[node] += self[node];
        if (node > 0)
          total[this.parent[node]] += total[node];
      }
    }

    name(node) {
      return this.frame[node] === FOLDED ? fill(words.small, formatCount(this.folded.get(node))) : nameOfFrame(this.frame[node]);
    }

    pathTo(node) {
      const path = [];
      for (; node >= 0; node = this.parent[node])
        path.unshift(node);
      return path;
    }
  }

  // Callers and callees of functions, both made of what calls there are.
  function indexCalls(calls) {
    const callers = new Map(), callees = new Map();
    const add = (map, of, call) => map.has(of) ? map.get(of).push(call) : map.set(of, [call]);
    for (let i = 0, k = 0; i < calls.function.length; i++)
      for (let end = k + calls.n[i]; k < end; k++) {
        const weight = calls.weight[k], change = calls.base ? weight - 2 * calls.base[k] : weight;
        add(callers, calls.function[i], { function: calls.caller[k] - 1, weight, change });
        if (calls.caller[k] > 0)
          add(callees, calls.caller[k] - 1, { function: calls.function[i], weight, change });
      }
    for (const map of [callers, callees])
      for (const list of map.values())
        list.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || b.weight - a.weight);
    return { callers, callees };
  }

  // --- state ---

  const state = {
    measure: null, tree: null, calls: null,
    zoom: 0, history: [], selected: 0, hovered: -1,
    match: null, // by function, and for groups by frame
    chosen: -1, // function
    sort: "self", isAscending: false, nRows: ROWS_PER_PAGE,
  };
  let layout = { rows: [], scale: 1, width: 0 };

  const whole = () => state.tree.total[0];
  const unit = () => state.measure.unit;
  const sides = () => state.measure.sides;

  function isMatch(frame) {
    const f = functionOf(frame);
    return f >= 0 ? state.match.functions[f] === 1 : frame > FOLDED && state.match.frames[frame] === 1;
  }

  // --- layout: the boxes of each row, from left to right ---

  // A box stands for the nodes from first to last of one level, several where they are narrow or folded.
  function layOut() {
    const tree = state.tree, zoom = state.zoom;
    const width = scroller.clientWidth, scale = width / (tree.total[zoom] || 1);
    const rows = [], box = new Int32Array(tree.n).fill(-1);
    for (const node of tree.pathTo(zoom)) {
      rows.push([{ x: 0, width, first: node, last: node, isBundle: false }]);
      box[node] = 0;
    }
    for (let first = zoom, end = zoom + 1; ;) {
      [first, end] = [tree.first[first], tree.first[end]];
      if (first === end)
        break;
      const row = [];
      let open = null, above = -1;
      for (let node = first; node < end; node++) {
        const parent = box[tree.parent[node]];
        if (parent < 0)
          continue;
        const x = (tree.left[node] - tree.left[zoom]) * scale, w = tree.total[node] * scale;
        const isNarrow = w < NARROW || tree.frame[node] === FOLDED;
        if (isNarrow && open && above === parent && open.last === node - 1) {
          open.last = node;
          open.width = x + w - open.x;
        } else {
          open = { x, width: w, first: node, last: node, isBundle: isNarrow };
          row.push(open);
          if (!isNarrow)
            open.isBundle = false;
        }
        above = parent;
        box[node] = row.length - 1;
        if (!isNarrow)
          open = null;
      }
      const isSeen = row.some(b => b.width >= 0.4);
      if (!isSeen)
        break;
      rows.push(row);
    }
    layout = { rows, scale, width, nAbove: tree.level[zoom] };
    find("extent").style.height = rows.length * ROW_HEIGHT + "px";
    canvas.dataset.boxes = tree.n;
    canvas.dataset.drawn = rows.reduce((n, row) => n + row.length, 0);
  }

  function boxAt(x, y) {
    const row = layout.rows[Math.floor(y / ROW_HEIGHT)];
    if (!row)
      return null;
    let low = 0, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].x + Math.max(row[middle].width, 1) <= x)
        low = middle + 1;
      else
        high = middle;
    }
    return low < row.length && row[low].x <= x ? row[low] : null;
  }

  function boxOf(node) {
    const row = layout.rows[state.tree.level[node]];
    return row ? row.find(b => b.first <= node && node <= b.last) : null;
  }

  // --- drawing ---

  const context = canvas.getContext("2d", { alpha: false });
  const widths = new Map();
  let frameRequest = 0;

  function theme() {
    return data.colors[state.measure.isHeap ? "heap" : "time"][dark.matches ? "dark" : "light"];
  }

  function widthOf(text) {
    let width = widths.get(text);
    if (width === undefined)
      widths.set(text, width = context.measureText(text).width);
    return width;
  }

  function cut(text, room) {
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(text.slice(0, middle) + "…").width <= room)
        low = middle;
      else
        high = middle - 1;
    }
    return low >= 2 ? text.slice(0, low) + "…" : "";
  }

  // The whole name, or its short form, or as much of that as there is room for.
  function label(node, room) {
    if (room < 18)
      return "";
    const name = state.tree.name(node);
    if (widthOf(name) <= room)
      return name;
    const f = functionOf(state.tree.frame[node]);
    const short = f >= 0 ? strings[functions.short[f]] : name;
    return widthOf(short) <= room ? short : cut(short, room);
  }

  function hueOf(node) {
    const tree = state.tree, colors = data.colors;
    if (tree.base)
      return colors.values + (tree.steps[node] + 4) * colors.n_shades;
    const f = functionOf(tree.frame[node]);
    return f >= 0 ? functions.hue[f] : colors.neutral;
  }

  function stateOf(node, row) {
    const frame = state.tree.frame[node];
    if (state.match)
      return isMatch(frame) ? MATCH : FADED;
    return row < layout.nAbove ? DIMMED : isInlined(frame) && !state.tree.base ? INLINED : NORMAL;
  }

  function hatch(colors) {
    const pattern = document.createElement("canvas"), c = pattern.getContext("2d");
    pattern.width = pattern.height = 6;
    c.fillStyle = colors[0];
    c.fillRect(0, 0, 6, 6);
    c.fillStyle = colors[1];
    for (let y = 0; y < 6; y++)
      for (let x = 0; x < 2; x++)
        c.fillRect((x + 6 - y) % 6, y, 1, 1);
    return context.createPattern(pattern, "repeat");
  }

  function drawBox(box, row, y, colors, hatches) {
    const gap = box.width >= 3 ? 1 : 0, width = Math.max(box.width - gap, 0.5);
    if (box.isBundle) {
      context.fillStyle = state.match ? hatches[1] : hatches[0];
      context.fillRect(box.x, y, width, ROW_HEIGHT - 1);
      for (let node = box.first; state.match && node <= box.last; node++)
        if (isMatch(state.tree.frame[node])) {
          context.fillStyle = colors.match;
          context.fillRect(box.x + (state.tree.left[node] - state.tree.left[box.first]) * layout.scale, y,
            Math.max(state.tree.total[node] * layout.scale, 1), ROW_HEIGHT - 1);
        }
      if (box.first !== box.last || state.tree.frame[box.first] !== FOLDED)
        return;
    }
    const how = stateOf(box.first, row);
    if (!box.isBundle) {
      context.fillStyle = how === MATCH ? colors.match : colors.fills[how][hueOf(box.first)];
      context.fillRect(box.x, y, width, ROW_HEIGHT - 1);
    }
    const text = label(box.first, width - 2 * TEXT_PAD);
    if (text) {
      context.fillStyle = colors.texts[how];
      context.fillText(text, box.x + TEXT_PAD, y + ROW_HEIGHT / 2);
    }
  }

  function outline(box, row, top, color, thickness, alpha = 1) {
    const y = row * ROW_HEIGHT - top, width = Math.max(box.width - 1, 2);
    context.strokeStyle = color;
    context.lineWidth = thickness;
    context.globalAlpha = alpha;
    context.strokeRect(box.x + thickness / 2, y + thickness / 2, width - thickness, ROW_HEIGHT - 1 - thickness);
    context.globalAlpha = 1;
  }

  function draw() {
    frameRequest = 0;
    const density = window.devicePixelRatio || 1, colors = theme();
    const width = layout.width, height = Math.min(scroller.clientHeight, layout.rows.length * ROW_HEIGHT), top = scroller.scrollTop;
    if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    context.fillStyle = colors.background;
    context.fillRect(0, 0, width, height);
    context.font = "12px " + getComputedStyle(document.body).fontFamily;
    context.textBaseline = "middle";
    const hatches = [hatch(colors.hatch), hatch(colors.fadedHatch)];
    const last = Math.min(Math.ceil((top + height) / ROW_HEIGHT), layout.rows.length);
    const { tree, hovered } = state;
    const alike = hovered >= 0 ? functionOf(tree.frame[hovered]) : state.chosen;
    for (let row = Math.floor(top / ROW_HEIGHT); row < last; row++)
      for (const box of layout.rows[row]) {
        if (box.width < 0.3)
          continue;
        drawBox(box, row, row * ROW_HEIGHT - top, colors, hatches);
        if (alike >= 0 && !box.isBundle && functionOf(tree.frame[box.first]) === alike)
          outline(box, row, top, colors.selection, 1, 0.6);
      }
    const hasKeys = document.activeElement === canvas || document.activeElement === find("search");
    for (const [node, thickness] of [[hovered, 1.5], [hasKeys ? state.selected : -1, 2]]) {
      const box = node >= 0 ? boxOf(node) : null;
      if (box)
        outline(box, tree.level[node], top, colors.selection, thickness);
    }
  }

  function redraw() {
    if (!frameRequest)
      frameRequest = requestAnimationFrame(draw);
  }

  // --- what is said of a node ---

  function describeChange(base, total) {
    if (sides().length === 0)
      return formatSigned(total - 2 * base, unit());
    const change = total - 2 * base;
    const percent = base > 0 ? " (" + (change < 0 ? "−" : "+") + formatPercent(Math.abs(change), base) + ")" : "";
    return formatAmount(base, unit()) + " → " + formatAmount(total - base, unit()) + ", " + formatSigned(change, unit()) + percent;
  }

  // Rows of a heading and texts.
  function figuresOf(node, last) {
    const tree = state.tree;
    let total = 0, self = 0, base = 0;
    for (let n = node; n <= last; n++) {
      total += tree.total[n];
      self += tree.self[n];
      base += tree.base ? tree.base[n] : 0;
    }
    if (tree.base) {
      const marks = node === last ? tree.marks[node] : 0;
      return [[words.total, describeChange(base, total), marks & NOISE ? words.noise : marks & NEW ? words.onlyNew : marks & GONE ? words.onlyBase : ""]];
    }
    const rows = [[words.total, formatAmount(total, unit()), words.ofAll.replace("%s", formatPercent(total, whole()))]];
    if (node > 0 && tree.parent[node] > 0)
      rows[0].push(words.ofCaller.replace("%s", formatPercent(total, tree.total[tree.parent[node]])));
    rows.push([words.self, formatAmount(self, unit()), words.ofAll.replace("%s", formatPercent(self, whole()))]);
    return rows;
  }

  function whereIs(node) {
    const frame = state.tree.frame[node], f = functionOf(frame);
    const parts = f >= 0 ? [strings[functions.module[f]], placeOf(frame), isInlined(frame) ? words.inlined : "", moreOf(f)] : [];
    return parts.filter(part => part).join(" · ");
  }

  function nameOfBox(box) {
    if (box.first === box.last)
      return state.tree.name(box.first);
    let n = 0;
    for (let node = box.first; node <= box.last; node++)
      n += state.tree.folded.get(node) || 1;
    return fill(words.small, formatCount(n));
  }

  function showTip(box, x, y) {
    const tip = find("tip");
    const where = box.first === box.last ? whereIs(box.first) : "";
    const rows = figuresOf(box.first, box.last).map(row => make("tr", null, ...row.map(text => make("td", null, text))));
    tip.replaceChildren(make("b", null, nameOfBox(box)), ...(where ? [make("span", null, where)] : []), make("table", null, make("tbody", null, ...rows)));
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - width - 8)) + "px";
    tip.style.top = (y + 20 + height > innerHeight ? Math.max(8, y - height - 12) : y + 20) + "px";
  }

  function hideTip() {
    find("tip").hidden = true;
    if (state.hovered >= 0) {
      state.hovered = -1;
      redraw();
    }
  }

  function showDetails() {
    const node = state.selected;
    const box = { first: node, last: node };
    const texts = [nameOfBox(box), whereIs(node), ...figuresOf(node, node).map(([heading, ...rest]) => heading + " " + rest.filter(text => text).join(", "))];
    find("details").textContent = texts.filter(text => text).join(" — ");
    canvas.dataset.selected = nameOfBox(box);
  }

  // --- zoom and selection ---

  function showPath() {
    const path = find("path");
    path.replaceChildren(...state.tree.pathTo(state.zoom).map(node => {
      const name = state.tree.name(node);
      const button = make("button", { type: "button", title: name, click: () => zoomTo(node) }, name);
      if (node === state.zoom)
        button.setAttribute("aria-current", "true");
      return make("li", null, button);
    }));
    path.scrollLeft = path.scrollWidth;
    find("zoom-out").disabled = state.zoom === 0;
    canvas.dataset.zoom = state.tree.name(state.zoom);
  }

  function zoomTo(node, isBack) {
    if (state.tree.frame[node] === FOLDED)
      node = state.tree.parent[node];
    if (node === state.zoom)
      return;
    if (!isBack)
      state.history.push(state.zoom);
    state.zoom = node;
    select(node);
    layOut();
    showPath();
    reveal(node);
    redraw();
  }

  function zoomBack() {
    if (state.history.length > 0)
      zoomTo(state.history.pop(), true);
    else if (state.zoom > 0)
      zoomTo(state.tree.parent[state.zoom], true);
  }

  function reveal(node) {
    const y = state.tree.level[node] * ROW_HEIGHT;
    if (y < scroller.scrollTop || y + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTo({ top: Math.max(0, y - 3 * ROW_HEIGHT), behavior: calm.matches ? "instant" : "auto" });
  }

  function select(node) {
    state.selected = node;
    showDetails();
    redraw();
  }

  function move(key) {
    const tree = state.tree, node = state.selected, level = tree.level[node];
    let next = node;
    if (key === "ArrowUp" && node > 0) {
      next = tree.parent[node];
    } else if (key === "ArrowDown") {
      const below = layout.rows[level + 1];
      const box = boxOf(node);
      const child = level < layout.nAbove ? below && below[0]
        : below && box && below.find(b => tree.parent[b.first] >= box.first && tree.parent[b.first] <= box.last);
      next = child ? child.first : node;
    } else if (key === "ArrowLeft" || key === "ArrowRight") {
      const row = layout.rows[level] || [], i = row.indexOf(boxOf(node)) + (key === "ArrowLeft" ? -1 : 1);
      next = row[i] ? row[i].first : node;
    } else if (key === "Home") {
      next = 0;
    }
    select(next);
    reveal(next);
  }

  // Makes the function of a node the one whose calls are shown.
  function choose(f) {
    state.chosen = f;
    showFunctions();
    showCalls();
    redraw();
  }

  // --- search ---

  function search() {
    const text = find("search").value, found = find("found");
    let expression = null;
    state.match = null;
    found.textContent = "";
    if (text)
      try {
        expression = new RegExp(text, "i");
      } catch (error) {
        found.textContent = words.invalid;
      }
    find("search").setAttribute("aria-invalid", text && !expression ? "true" : "false");
    if (expression) {
      const ofString = strings.map(string => expression.test(string) ? 1 : 0);
      state.match = { functions: new Uint8Array(nFunctions), frames: new Uint8Array(frames.function.length) };
      for (let f = 0; f < nFunctions; f++)
        state.match.functions[f] = ofString[functions.name[f]] | ofString[functions.label[f]] | ofString[functions.short[f]] | ofString[functions.file[f]] | ofString[functions.module[f]];
      for (let frame = FOLDED + 1; frame < frames.function.length; frame++)
        if (frames.function[frame] < 0)
          state.match.frames[frame] = ofString[-1 - frames.function[frame]];
      showFound(found);
    }
    state.nRows = ROWS_PER_PAGE;
    showFunctions();
    redraw();
  }

  // Each stack counts once, however many of its functions match.
  function showFound(found) {
    const tree = state.tree, isInside = new Uint8Array(tree.n), seen = new Set();
    let weight = 0;
    for (let node = 1; node < tree.n; node++) {
      const is = isMatch(tree.frame[node]), isBelow = isInside[tree.parent[node]];
      if (is)
        seen.add(functionOf(tree.frame[node]));
      if (is && !isBelow)
        weight += tree.total[node];
      isInside[node] = is || isBelow ? 1 : 0;
    }
    found.textContent = seen.size > 0
      ? fill(words.matches, formatPercent(weight, whole()), formatAmount(weight, unit()), formatCount(seen.size)) : words.nothingMatches;
  }

  // The next box that matches, row by row.
  function goToMatch(isBackward) {
    const { tree, selected } = state;
    for (let i = 1; state.match && i <= tree.n; i++) {
      const node = (selected + (isBackward ? tree.n - i : i)) % tree.n;
      if (isMatch(tree.frame[node]) && isBelowZoom(node) && tree.total[node] * layout.scale >= 1) {
        select(node);
        reveal(node);
        return;
      }
    }
  }

  function isBelowZoom(node) {
    while (node > state.zoom)
      node = state.tree.parent[node];
    return node === state.zoom;
  }

  // --- functions ---

  function columns() {
    const list = state.measure.list, text = (of, i) => strings[of[functionOf(list.frame[i])]];
    const figures = list.figures.map(({ id, title, number, text: texts }) => ({ id, title, value: i => number[i], format: i => texts[i] }));
    const names = [
      ...figures,
      { id: "name", title: words.function, isText: true, value: i => text(functions.label, i) },
      { id: "module", title: words.module, isText: true, value: i => text(functions.module, i) },
      { id: "place", title: words.place, isText: true, value: i => placeOf(list.frame[i]) }];
    if (sides())
      return [
        { id: "self", title: sides().length ? words.selfChange : words.self, value: i => list.self[i] - 2 * list.baseSelf[i], isSigned: true, isBySize: true },
        { id: "total", title: sides().length ? words.totalChange : words.total, value: i => list.total[i] - 2 * list.baseTotal[i], isSigned: true, isBySize: true },
        ...(sides().length === 0 ? [] : [
          { id: "base", title: words.base, value: i => list.baseTotal[i] },
          { id: "new", title: words.new, value: i => list.total[i] - list.baseTotal[i] }]), ...names];
    return [
      { id: "self", title: words.self, value: i => list.self[i], hasShare: true },
      { id: "total", title: words.total, value: i => list.total[i], hasShare: true }, ...names];
  }

  function sortBy(column) {
    state.isAscending = state.sort === column.id ? !state.isAscending : Boolean(column.isText);
    state.sort = column.id;
    state.nRows = ROWS_PER_PAGE;
    showFunctions();
  }

  function listRows(all) {
    const list = state.measure.list, column = all.find(c => c.id === state.sort) || all[0];
    const rows = [];
    for (let i = 0; i < list.frame.length; i++)
      if (!state.match || isMatch(list.frame[i]))
        rows.push(i);
    const key = column.isBySize ? i => Math.abs(column.value(i)) : column.value;
    const way = state.isAscending ? 1 : -1;
    rows.sort((a, b) => {
      const x = key(a), y = key(b);
      return (x < y ? -way : x > y ? way : 0) || a - b;
    });
    return rows;
  }

  // As in the window's lists: the label, with the whole name as tool tip.
  function makeFunction(f) {
    const more = moreOf(f);
    return make("button", { type: "button", title: strings[functions.name[f]] + (more && "\n" + more), click: () => choose(f) }, strings[functions.label[f]],
      ...(more ? [make("small", null, " (" + more + ")")] : []));
  }

  function makeCells(column, i) {
    const value = column.value(i);
    if (column.id === "name")
      return [make("td", { class: "name" }, makeFunction(functionOf(state.measure.list.frame[i])))];
    if (column.isText)
      return [make("td", { class: column.id, title: value || undefined }, value)];
    if (column.format)
      return [make("td", { class: "number" }, column.format(i))];
    const cells = [make("td", { class: "number" }, column.isSigned ? formatSigned(value, unit()) : formatAmount(value, unit()))];
    if (column.hasShare)
      cells.push(make("td", { class: "number share" }, formatPercent(value, whole())));
    return cells;
  }

  function showFunctions() {
    const all = columns(), rows = listRows(all), list = state.measure.list, table = find("functions");
    table.tHead.rows[0].replaceChildren(...all.map(column => make("th", {
      scope: "col", class: column.isText ? column.id : "number", colspan: column.hasShare ? 2 : undefined,
      "aria-sort": state.sort === column.id ? (state.isAscending ? "ascending" : "descending") : undefined,
    }, make("button", { type: "button", click: () => sortBy(column) }, column.title))));
    table.tBodies[0].replaceChildren(...rows.slice(0, state.nRows).map(i =>
      make("tr", { class: functionOf(list.frame[i]) === state.chosen ? "chosen" : list.noise && list.noise[i] ? "noise" : undefined }, ...all.flatMap(column => makeCells(column, i)))));
    table.dataset.rows = rows.length;
    find("more").hidden = rows.length <= state.nRows;
    find("more").textContent = fill(words.more, formatCount(rows.length - state.nRows));
    find("functions-left").hidden = list.left === 0;
    find("functions-left").textContent = fill(words.functionsLeftOut, formatCount(list.left), formatDecimals(0.01, 2) + " %");
  }

  function makeCalls(calls) {
    const rows = (calls || []).map(({ function: f, weight, change }) => make("tr", null,
      ...(sides() ? [] : [make("td", { class: "number share" }, formatPercent(weight, whole()))]),
      make("td", { class: "number" }, sides() ? formatSigned(change, unit()) : formatAmount(weight, unit())),
      make("td", { class: "name" }, f < 0 ? words.noCaller
        : makeFunction(f))));
    return rows.length > 0 ? rows : [make("tr", null, make("td", { class: "share" }, words.none))];
  }

  function showCalls() {
    const f = state.chosen;
    find("calls-hint").hidden = f >= 0;
    find("calls-of").hidden = f < 0;
    if (f < 0)
      return;
    state.calls = state.calls || indexCalls(state.measure.calls);
    find("calls-name").textContent = strings[functions.name[f]];
    find("callers").tBodies[0].replaceChildren(...makeCalls(state.calls.callers.get(f)));
    find("callees").tBodies[0].replaceChildren(...makeCalls(state.calls.callees.get(f)));
  }

  // --- the whole ---

  function showLegend() {
    const legend = find("legend"), { fills } = theme();
    legend.hidden = !sides();
    if (!sides())
      return;
    legend.replaceChildren(...[...Array(9).keys()].map(i => {
      const swatch = make("i");
      swatch.style.background = fills[NORMAL][data.colors.values + i * data.colors.n_shades];
      return make("li", null, swatch, i === 0 ? words.less : i === 4 ? "0" : i === 8 ? words.moreThan : "");
    }));
  }

  function showLeftOut() {
    const { tree } = state, text = find("left-out");
    let n = 0, weight = 0;
    for (const [node, count] of tree.folded) {
      n += count;
      weight += tree.total[node];
    }
    text.hidden = n === 0;
    text.textContent = fill(words.leftOut, formatDecimals(100 / state.measure.tree.parts, state.measure.tree.parts > 10000 ? 4 : 2) + " %",
      formatCount(n), formatPercent(weight, whole()));
  }

  function showMeasure(index) {
    state.measure = data.measures[index];
    state.measure.made = state.measure.made || new Tree(state.measure);
    Object.assign(state, { tree: state.measure.made, calls: null, zoom: 0, history: [], selected: 0, hovered: -1, nRows: ROWS_PER_PAGE });
    const total = sides() ? describeChange(state.tree.base[0], whole()) : formatAmount(whole(), unit());
    const { scale, changes, title, name } = state.measure;
    const names = sides() ? sides().join(" → ") : "";
    find("subtitle").textContent = [names !== data.title ? names : "", title + ": " + total, scale ? fill(words.scale, scale) : ""].filter(text => text).join(" · ");
    find("changes-section").hidden = !changes || changes.length === 0;
    find("changes").replaceChildren(...(changes || []).map(text => make("li", null, text)));
    canvas.dataset.measure = name;
    layOut();
    showPath();
    showDetails();
    showLeftOut();
    showLegend();
    search();
    showCalls();
  }

  function showOnce() {
    for (const element of document.querySelectorAll("[data-word]"))
      element.textContent = words[element.dataset.word];
    for (const element of document.querySelectorAll("[data-label]"))
      element.setAttribute("aria-label", words[element.dataset.label]);
    find("title").textContent = find("title").title = data.title;
    find("search").placeholder = words.search;
    find("search").setAttribute("aria-label", words.search);
    find("search").title = words.searchKeys;
    find("measure").append(...data.measures.map((measure, i) => make("option", { value: i },
      measure.title === measure.name ? measure.name : measure.title + " (" + measure.name + ")")));
    find("measure-label").hidden = data.measures.length < 2;
    const facts = data.facts.flatMap(([title, value]) => [make("dt", null, title), make("dd", null, value)]);
    if (data.options.length > 0)
      facts.push(make("dt", null, words.options), make("dd", null, ...data.options.map(option => make("code", null, option))));
    find("facts").append(...facts);
    find("notes-section").hidden = data.notes.length === 0;
    find("notes").append(...data.notes.map(([severity, text]) => make("li", { class: severity }, text)));
  }

  function onKey(event) {
    const isInField = /^(INPUT|SELECT)$/.test(event.target.tagName);
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if ((event.key === "/" && !isInField && !hasModifier) || (event.key === "f" && event.ctrlKey && !event.altKey && event.target !== find("search"))) {
      find("search").focus();
      find("search").select();
      event.preventDefault();
    } else if (event.key === "Escape" && event.target === find("search")) {
      if (find("search").value) {
        find("search").value = "";
        search();
      } else {
        canvas.focus();
      }
      event.preventDefault();
    } else if (!isInField && !hasModifier && (event.key === "Escape" || event.key === "Backspace")) {
      hideTip();
      zoomBack();
      event.preventDefault();
    }
  }

  function onCanvasKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (/^(Arrow|Home$)/.test(event.key))
      move(event.key);
    else if (event.key === "Enter" || event.key === " ")
      zoomTo(state.selected);
    else if (event.key === "n" || event.key === "N")
      goToMatch(event.key === "N");
    else
      return;
    event.preventDefault();
  }

  function boxOfEvent(event) {
    const bounds = canvas.getBoundingClientRect();
    return boxAt(event.clientX - bounds.left, event.clientY - bounds.top + scroller.scrollTop);
  }

  function onPoint(event) {
    const box = boxOfEvent(event);
    const node = box ? box.first : -1;
    if (node !== state.hovered) {
      state.hovered = node;
      redraw();
    }
    if (box)
      showTip(box, event.clientX, event.clientY);
    else
      find("tip").hidden = true;
  }

  function onClick(event) {
    const box = boxOfEvent(event);
    if (!box)
      return;
    hideTip();
    choose(box.isBundle ? state.chosen : functionOf(state.tree.frame[box.first]));
    if (box.isBundle && box.first !== box.last)
      zoomTo(state.tree.parent[box.first]);
    else
      zoomTo(box.first);
  }

  function onResize() {
    layOut();
    redraw();
  }

  showOnce();
  if (data.measures.length === 0) {
    find("subtitle").textContent = words.nothing;
    return;
  }
  find("measure").addEventListener("change", event => showMeasure(Number(event.target.value)));
  find("search").addEventListener("input", search);
  find("search").addEventListener("keydown", event => {
    if (event.key === "Enter")
      goToMatch(event.shiftKey);
  });
  find("more").addEventListener("click", () => {
    state.nRows += 4 * ROWS_PER_PAGE;
    showFunctions();
  });
  find("zoom-out").addEventListener("click", zoomBack);
  document.addEventListener("keydown", onKey);
  canvas.addEventListener("keydown", onCanvasKey);
  canvas.addEventListener("pointermove", onPoint);
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("click", onClick);
  canvas.addEventListener("focus", redraw);
  canvas.addEventListener("blur", redraw);
  scroller.addEventListener("scroll", redraw);
  dark.addEventListener("change", () => {
    showLegend();
    redraw();
  });
  new ResizeObserver(onResize).observe(scroller);
  showMeasure(0);
})();
