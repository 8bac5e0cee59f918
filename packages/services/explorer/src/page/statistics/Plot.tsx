import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { printWhole } from "../../text/numbers.js";
import type { Series } from "./series.js";
import { lonePoints, spanOf } from "./spanOf.js";

export interface PlotProps {
  readonly name: string;
  readonly series: Series;
  readonly print: (value: number) => string;
  /** Whether the first row has times instead of heights. */
  readonly isTime?: boolean;
  /** The seconds or heights between values. */
  readonly step?: number;
  readonly kind?: "line" | "bars";
}

const height = 200;

/** One quantity over heights or over time. */
export function Plot({ name, series, print, isTime = false, step = 1, kind = "line" }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(series);
  latest.current = series;
  useEffect(() => {
    const element = box.current!;
    let width = element.clientWidth;
    const make = () => {
      plot.current?.destroy();
      plot.current = new uPlot(
        optionsOf({ name, print, isTime, step, kind }, width, getComputedStyle(element)),
        latest.current,
        element,
      );
    };
    make();
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width || element.clientWidth === 0) return;
      width = element.clientWidth;
      plot.current?.setSize({ width, height });
    });
    resized.observe(element);
    const themed = new MutationObserver(make);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.current?.destroy();
    };
  }, [name, print, isTime, step, kind]);
  useEffect(() => plot.current?.setData(series), [series]);
  const values = series[1]?.filter((value) => value !== null) ?? [];
  const words =
    values.length === 0
      ? "no values yet"
      : `from ${print(Math.min(...values))} to ${print(Math.max(...values))}, lately ${print(values.at(-1)!)}`;
  return <div ref={box} className="plot" role="img" aria-label={`${name}: ${words}`} />;
}

function optionsOf(
  { name, print, isTime, step, kind }: Required<Omit<PlotProps, "series">>,
  width: number,
  style: CSSStyleDeclaration,
): uPlot.Options {
  const colour = (variable: string) => style.getPropertyValue(variable).trim();
  const axis = {
    stroke: colour("--muted"),
    font: "12px Inter, system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const accent = colour("--accent");
  const line = {
    label: name,
    stroke: accent,
    width: 2,
    fill: `color-mix(in srgb, ${accent} 14%, transparent)`,
    // A value between two that are missing has no line.
    points: { show: true, size: 6, fill: accent, filter: lonePoints },
  };
  const bars = {
    ...line,
    width: 0,
    fill: accent,
    points: { show: false },
    paths: uPlot.paths.bars!({ size: [0.7, 40] }),
  };
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
    scales: {
      x: {
        time: isTime,
        // For a single value uPlot chooses ends that are years apart.
        range: ({ data: [places] }, first, last) =>
          spanOf(
            places.length === 1 ? { first: places[0]!, last: places[0]! } : { first, last },
            step,
            kind === "bars",
          ),
      },
      y: { range: (_plot, least, most) => [Math.min(0, least ?? 0), (most ?? 0) <= 0 ? 1 : most * 1.12] },
    },
    axes: [
      {
        ...axis,
        ...(!isTime && {
          values: (_plot: uPlot, all: number[]) => all.map((one) => (Number.isInteger(one) ? String(one) : "")),
        }),
      },
      {
        ...axis,
        size: (_plot, labels) => Math.max(50, 20 + 7 * Math.max(0, ...(labels ?? []).map(({ length }) => length))),
        // Counts have no halves. Where all values are zero the axis shows no other value.
        values: ({ data: [, shown] }, all) => {
          const isZero = Array.from<unknown>(shown ?? []).every((one) => (one ?? 0) === 0);
          const isLeftOut = (one: number) => (isZero ? one !== 0 : print === printWhole && !Number.isInteger(one));
          return all.map((one) => (isLeftOut(one) ? "" : print(one)));
        },
      },
    ],
    series: [{}, kind === "bars" ? bars : line],
  };
}
