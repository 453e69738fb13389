// Shows the answer to the question that the controls ask; all answers are in the page.
"use strict";
const at = id => document.getElementById(id);

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(at(id).textContent), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function drawn(data) {
  const plot = Bokeh.Plotting.figure({
    sizing_mode: "stretch_width", height: 320, toolbar_location: null, tools: [],
    x_axis_type: data.logarithmic ? "log" : "linear", x_axis_label: "number of classes",
    background_fill_alpha: 0, border_fill_alpha: 0, outline_line_color: null, min_border_right: 20,
  });
  plot.y_range = new Bokeh.Range1d({start: 0, end: 1});
  if (!data.logarithmic) plot.xaxis.formatter = new Bokeh.NumeralTickFormatter({format: "0,0"});
  const source = columns => new Bokeh.ColumnDataSource(
    {data: Object.fromEntries(columns.map(name => [name, []]))});
  const line = (columns, options) => {
    plot.line({field: "k"}, {field: "accuracy"}, {source: columns, ...options});
    return columns;
  };
  const chosen = source(["k", "accuracy"]), band = source(["k", "lower", "upper"]);
  const varea = plot.varea({field: "k"}, {field: "lower"}, {field: "upper"},
    {source: band, fill_alpha: .2});
  const others = data.methods.map(each =>
    line(source(["k", "accuracy"]), {line_color: each.color, line_width: 1, line_alpha: .7}));
  const observed = line(source(["k", "accuracy"]), {line_color: "#8c8c8c", line_width: 4});
  const curve = plot.line({field: "k"}, {field: "accuracy"}, {source: chosen, line_width: 2.5});
  plot.add_layout(new Bokeh.Span({location: data.k1, dimension: "height", line_dash: "dotted",
    line_color: "black"}));
  const here = source(["k", "accuracy"]), ends = source(["k", "lower", "upper"]);
  plot.segment({field: "k"}, {field: "lower"}, {field: "k"}, {field: "upper"},
    {source: ends, line_color: "black", line_width: 2});
  const dot = plot.scatter({field: "k"}, {field: "accuracy"},
    {source: here, size: 10, line_color: "black"});
  Bokeh.Plotting.show(plot, at("chart"));
  return {plot, chosen, band, others, observed, here, ends, curve, varea, dot};
}

async function explore() {
  const data = await unpacked("answers");
  at("explorer").hidden = false;  // First, or the chart has no width.
  const chart = drawn(data);
  const controls = ["classes", "top", "method", "level"].map(at);
  const show = () => {
    const [place, top, method, level] = controls.map(each => Number(each.value));
    const answer = data.answers[method][top][level];
    const where = data.k.length - data.classes.length + place;
    at("classes").setAttribute("aria-valuetext", `${data.shown[place]} classes`);
    at("classes-shown").textContent = data.shown[place];
    at("said").textContent = answer.said[place];
    at("cautions").replaceChildren(...answer.cautions[place].map(each =>
      Object.assign(document.createElement("li"), {textContent: data.cautions[each]})));
    at("chart").setAttribute("aria-label",
      `Curve of the ${data.names[top]}, ${data.methods[method].label}. ${answer.said[place]}`);
    const color = data.methods[method].color, k = data.k;
    chart.curve.glyph.line_color = chart.varea.glyph.fill_color = chart.dot.glyph.fill_color = color;
    chart.observed.data = data.observed[top];
    chart.chosen.data = {k, accuracy: answer.accuracy};
    chart.others.forEach((each, number) => {
      each.data = {k, accuracy: data.answers[number][top][level].accuracy};
    });
    const {lower, upper} = answer;
    chart.band.data = lower ? {k, lower, upper} : {k: [], lower: [], upper: []};
    chart.here.data = {k: [k[where]], accuracy: [answer.accuracy[where]]};
    chart.ends.data = lower ? {k: [k[where]], lower: [lower[where]], upper: [upper[where]]}
      : {k: [], lower: [], upper: []};
    const others = chart.others.flatMap(each => each.data.accuracy);
    const least = Math.min(...(lower ?? answer.accuracy), ...others);
    chart.plot.y_range.start = Math.max(0, least - .05 * (1 - least));
    chart.plot.yaxis.axis_label = data.names[top];
  };
  controls.forEach(each => each.addEventListener("input", show));
  show();
  at("curves").hidden = true;
}
explore();
