import { printDuration } from "../../text/numbers.js";
import { Chart } from "./Chart.js";
import type { Series } from "./series.js";

/** How long blocks took to become final. */
export interface Lags {
  readonly blocks: Series;
  /** Milliseconds. */
  readonly time: Series;
  /** Final blocks of which it is not known; left out where that is not counted. */
  readonly unknown?: number;
}

interface LagChartsProps<T> extends Pick<Parameters<typeof Chart<T>>[0], "query" | "isTime" | "step"> {
  readonly lagOf: (data: T) => Lags;
  /** How a value is made of those of several blocks. */
  readonly about?: string;
}

/** Two charts of the time from a block to the newest one when it became final: by the times of both, and in heights. */
export function LagCharts<T>({ lagOf, about, ...shown }: LagChartsProps<T>) {
  const titleOf = (title: string) => (about === undefined ? title : `${title}, ${about}`);
  const more = { ...shown, none: "Not known of any of these blocks yet.", note: (data: T) => gapsOf(lagOf(data)) };
  return (
    <>
      <Chart
        {...more}
        title={titleOf("Time until final")}
        name="Time until final"
        print={printDuration}
        unit="ms"
        of={(data) => lagOf(data).time}
      />
      <Chart
        {...more}
        title={titleOf("Blocks until final")}
        name="Blocks until final"
        print={printHeights}
        of={(data) => lagOf(data).blocks}
      />
    </>
  );
}

function printHeights(heights: number): string {
  return heights.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** The reason for missing values. */
function gapsOf({ time: [, values = []], unknown }: Lags): string | undefined {
  const why = "this node began above them, or decided it before it stored this";
  if (unknown === undefined)
    return values.slice(1, -1).includes(null)
      ? `Gaps: when those blocks became final is not known; ${why}.`
      : undefined;
  if (unknown === 0) return undefined;
  return unknown === 1
    ? "Gap: when one of these blocks became final is not known; this node began above it, or decided it before it stored this."
    : `Gaps: when ${unknown} of these blocks became final is not known; ${why}.`;
}
