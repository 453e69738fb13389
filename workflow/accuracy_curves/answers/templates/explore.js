// Answers the question that the controls ask from the arrays in the page, in the page's sentences.
"use strict";
const at = id => document.getElementById(id);
const whole = n => n.toLocaleString("en-US");
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (open, name) => values[name] ?? open);
// Of what holds from one number to another, what holds at this one.
const held = (each, k) => each.filter(({above, up_to}) => above < k && k <= up_to);
// As `share` of cautions.py.
const share = x => x === 0 || x === 1 ? `${x}` : x < .0005 ? "< .001" : x > .9995 ? "> .999"
  : x.toFixed(3).slice(1);
// As `one_in` of accuracy_wording.py.
const oneIn = x => whole(Math.round(Number((1 / Math.max(1 - x, 1e-9)).toPrecision(2))));
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const GREY = "#8c8c8c", BLUE = "#0072B2", RED = "#D55E00";

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(at(id).textContent), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// Where x stands among ascending or descending xs: the place before it, and how far to the next.
function placed(xs, x) {
  const up = xs[0] < xs[xs.length - 1] ? 1 : -1;
  let place = xs.findIndex(each => up * each > up * x) - 1;
  if (place === -2) place = xs.length - 2;
  place = clamp(place, 0, xs.length - 2);
  return [place, clamp((x - xs[place]) / (xs[place + 1] - xs[place]), 0, 1)];
}
const between = (ys, [place, part]) =>
  part === 0 ? ys[place] : part === 1 ? ys[place + 1] : ys[place] + part * (ys[place + 1] - ys[place]);

// A chart with named lines and bands; show(name, {x: [...], ...}) fills one of them.
function chartIn(id, options, add) {
  const plot = Bokeh.Plotting.figure({
    sizing_mode: "stretch_width", height: 340, toolbar_location: null, tools: [],
    background_fill_alpha: 0, border_fill_alpha: 0, outline_line_color: null, min_border_right: 20,
    ...options,
  });
  const sources = {};
  const source = (name, columns) => sources[name] = new Bokeh.ColumnDataSource(
    {data: Object.fromEntries(columns.map(each => [each, []]))});
  const made = add({
    line: (name, look) => plot.line({field: "x"}, {field: "y"},
      {source: source(name, ["x", "y"]), ...look}),
    band: (name, look) => plot.varea({field: "x"}, {field: "lower"}, {field: "upper"},
      {source: source(name, ["x", "lower", "upper"]), fill_alpha: .2, ...look}),
    dot: (name, look) => plot.scatter({field: "x"}, {field: "y"},
      {source: source(name, ["x", "y"]), size: 10, line_color: "black", ...look}),
    bar: name => plot.segment({field: "x"}, {field: "lower"}, {field: "x"}, {field: "upper"},
      {source: source(name, ["x", "lower", "upper"]), line_color: "black", line_width: 2}),
  });
  Bokeh.Plotting.show(plot, at(id));
  return {plot, made, show: (name, data) => { sources[name].data = data; }};
}

// Let a field say which numbers it takes; once another one is typed, show what was answered.
function limited(field, low, high, show) {
  const written = x => Number.isInteger(x) ? whole(x) : `${Number(x.toPrecision(4))}`;
  [field.min, field.max] = [low, high];
  field.labels[0].append(` (${written(low)} to ${written(high)})`);
  field.addEventListener("change", show);
}

// A slider over the places of values beside a field for a number: both ask the same.
function sized(values, start, show) {
  const slider = at("size"), field = at("size-typed");
  slider.max = values.length - 1;
  const toSlider = () => {
    slider.value = values.findLastIndex(each => each <= Number(field.value));
    slider.setAttribute("aria-valuetext", field.value);
  };
  field.value = start;
  toSlider();
  slider.addEventListener("input", () => { field.value = values[slider.value]; show(); });
  field.addEventListener("input", () => { toSlider(); show(); });
  const last = values[values.length - 1];
  const asked = () => clamp(Math.round(Number(field.value)) || values[0], 2, last);
  limited(field, 2, last, () => { field.value = asked(); toSlider(); });
  return asked;
}

// The answer, after what its cautions say of it; and these, the gravest first.
function say(said, cautions, values) {
  const weight = cautions.map(each => each.weight).find(each => each);
  at("said").textContent = (weight ? `${weight}. ` : "") + said;
  at("cautions").replaceChildren(...cautions.map(each =>
    Object.assign(document.createElement("li"), {textContent: fill(each.text, values)})));
}

function accuracies(data) {
  const text = data.sentences, {k, k1} = data, logs = k.map(Math.log);
  const chart = chartIn("chart", {x_axis_type: "log", x_axis_label: "number of classes"}, draw => {
    const band = draw.band("band", {});
    data.methods.forEach((each, number) =>
      draw.line(`other ${number}`, {line_color: each.color, line_width: 1, line_alpha: .7}));
    const curve = draw.line("curve", {line_width: 2.5});
    draw.line("observed", {line_color: GREY, line_width: 4});
    draw.bar("ends");
    return {band, curve, dot: draw.dot("dot", {})};
  });
  chart.plot.y_range = new Bokeh.Range1d({start: 0, end: 1});
  chart.plot.add_layout(new Bokeh.Span(
    {location: k1, dimension: "height", line_dash: "dotted", line_color: "black"}));
  const menus = ["top", "method", "level"].map(at);
  const asked = sized(data.classes, data.start.k, show);
  menus.forEach(each => each.addEventListener("input", show));

  function show() {
    const [t, m, l] = menus.map(each => Number(each.value)), size = asked();
    const top = data.tops[t], method = data.methods[m], curves = method.curves[t][l];
    const here = placed(logs, Math.log(size)), now = {};
    for (const name in curves) now[name] = between(curves[name], here);
    const has = "lower" in now, shown = Object.fromEntries(
      Object.entries(now).map(([name, value]) => [name, share(value)]));
    let interval = "";
    if (has) {
      const same = shown.lower === shown.set_lower && shown.upper === shown.set_upper;
      interval = fill(text.interval, {level: data.levels[l], ...shown,
        one_set: same ? "" : fill(text.one_set, {lower: shown.set_lower, upper: shown.set_upper})});
    }
    const ends = has ? {most: oneIn(now.lower), least: oneIn(now.upper)} : {};
    const errors = held(method.errors[t], size).map(each =>
      fill(each.text, {about: oneIn(now.accuracy), ...ends})).join("");
    const said = fill(text.predicted,
      {k: whole(size), name: top.name, accuracy: shown.accuracy, interval, errors});
    say(said, held(method.cautions[t], size), {k: whole(size), accuracy: shown.accuracy});
    at("chart").setAttribute("aria-label", `Curve of the ${top.name}, ${method.label}. ${said}`);

    const none = {x: [], lower: [], upper: []};
    chart.made.curve.glyph.line_color = chart.made.band.glyph.fill_color =
      chart.made.dot.glyph.fill_color = method.color;
    chart.show("observed", {x: top.k, y: top.accuracy});
    chart.show("curve", {x: k, y: curves.accuracy});
    data.methods.forEach((each, number) =>
      chart.show(`other ${number}`, {x: k, y: each.curves[t][l].accuracy}));
    chart.show("band", has ? {x: k, lower: curves.lower, upper: curves.upper} : none);
    chart.show("dot", {x: [size], y: [now.accuracy]});
    chart.show("ends", has ? {x: [size], lower: [now.lower], upper: [now.upper]} : none);
    const lowest = Math.min(...(curves.lower ?? curves.accuracy),
      ...data.methods.flatMap(each => each.curves[t][l].accuracy));
    chart.plot.y_range.start = Math.max(0, lowest - .05 * (1 - lowest));
    chart.plot.yaxis.axis_label = top.name;
  }
  show();
}

function rates(data) {
  const text = data.sentences, {sizes, thresholds} = data, logs = sizes.map(Math.log);
  const LEAST = 1e-4, odds = p => Math.log(clamp(p, 1e-9, 1 - 1e-9) / (1 - clamp(p, 1e-9, 1 - 1e-9)));
  const rate = x => 1 / (1 + Math.exp(-x)), floor = ys => ys.map(y => Math.max(y, LEAST));
  const ends = data.rates.fnir.lower[0][0] === null ? ["value"] : ["value", "lower", "upper"];
  const range = () => new Bokeh.Range1d({start: LEAST, end: 1.1});
  const det = chartIn("chart", {x_axis_type: "log", y_axis_type: "log", x_range: range(), y_range: range(),
    x_axis_label: "FPIR: strangers taken for somebody", y_axis_label: "FNIR: enrolled people missed"},
    draw => { draw.band("band", {fill_color: BLUE}); draw.line("curve", {line_color: BLUE, line_width: 2.5});
      draw.bar("ends"); draw.dot("dot", {fill_color: BLUE}); });
  const bySize = chartIn("chart-sizes", {x_axis_type: "log", y_axis_type: "log", y_range: range(),
    x_axis_label: "enrolled", y_axis_label: "rate at this threshold"},
    draw => ["fpir", "fnir"].forEach((name, place) => {
      const color = [RED, BLUE][place];
      draw.band(`${name} band`, {fill_color: color});
      draw.line(name, {line_color: color, line_width: 2.5});
      draw.dot(`${name} dot`, {fill_color: color});
    }));
  // All thresholds of one gallery, by interpolation on log odds.
  const gallery = size => {
    const here = placed(logs, Math.log(size)), found = {};
    for (const name in data.rates) for (const end of ends)
      found[`${name} ${end}`] = thresholds.map((_, j) =>
        rate(between(data.rates[name][end].map(row => odds(row[j])), here)));
    return found;
  };
  const at_threshold = (ys, place) => rate(between(ys.map(odds), place));
  const target = at("target"), cut = at("threshold");
  const asked = sized(sizes, data.start.k, show);
  cut.value = Number(data.start.threshold.toPrecision(5));
  let start = data.start.threshold;  // Until the threshold is changed: not rounded.
  cut.addEventListener("input", () => { start = null; show(); });
  limited(target, LEAST, .9, () => show());
  const [loosest, strictest] = [thresholds[0], thresholds[thresholds.length - 1]];
  const [low, high] = [Math.min(loosest, strictest), Math.max(loosest, strictest)];
  limited(cut, low, high, () => { cut.value = Number(cutAt().toPrecision(5)); });
  const cutAt = () => clamp(start ?? Number(cut.value), low, high);
  target.addEventListener("input", () => {
    const typed = Number(target.value), wanted = odds(clamp(typed, LEAST, .9));
    const all = gallery(asked())["fpir value"].map(odds);
    if (!(typed > 0)) return;
    start = null;
    cut.value = Number(between(thresholds, placed(all, wanted)).toPrecision(5));
    show(target);
  });

  function show(typed) {
    const size = asked(), all = gallery(size), place = placed(thresholds, cutAt()), now = {};
    for (const name in all) now[name] = at_threshold(all[name], place);
    if (typed !== target) target.value = Number(now["fpir value"].toPrecision(2));
    const interval = name => ends.length === 1 ? "" : fill(text.rate_interval, {level: data.level,
      lower: share(now[`${name} lower`]), upper: share(now[`${name} upper`])});
    const said = fill(text.rates, {k: whole(size), threshold: Number(cutAt().toPrecision(4)), set_for: "",
      fpir: share(now["fpir value"]), fpir_interval: interval("fpir"),
      fnir: share(now["fnir value"]), fnir_interval: interval("fnir")});
    say(said, held(data.cautions, size), {k: whole(size)});
    at("chart").setAttribute("aria-label", `DET curve. ${said}`);
    det.show("curve", {x: floor(all["fpir value"]), y: floor(all["fnir value"])});
    if (ends.length > 1) det.show("band", {x: floor(all["fpir value"]), lower: floor(all["fnir lower"]), upper: floor(all["fnir upper"])});
    det.show("dot", {x: floor([now["fpir value"]]), y: floor([now["fnir value"]])});
    if (ends.length > 1) det.show("ends", {x: floor([now["fpir value"]]), lower: floor([now["fnir lower"]]), upper: floor([now["fnir upper"]])});
    for (const name of ["fpir", "fnir"]) {
      const row = end => floor(data.rates[name][end].map(each => at_threshold(each, place)));
      bySize.show(name, {x: sizes, y: row("value")});
      if (ends.length > 1) bySize.show(`${name} band`, {x: sizes, lower: row("lower"), upper: row("upper")});
      bySize.show(`${name} dot`, {x: [size], y: floor([now[`${name} value`]])});
    }
  }
  show();
}

async function explore() {
  const data = await unpacked("data");
  at("explorer").hidden = false;  // First, or the charts have no width.
  ({accuracy: accuracies, rates})[data.kind](data);
  at("curves").hidden = true;
}
explore();
