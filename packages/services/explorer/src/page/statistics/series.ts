import type { LightBlock } from "@vedette/client";

/** Numbers over heights, as plots want them: the first row has the heights. */
export type Series = [heights: number[], ...values: (number | null)[][]];

/** Everything that is plotted over heights, from blocks in any order. */
export interface BlockSeries {
  /** Milliseconds since the height below. */
  readonly time: Series;
  readonly deploys: Series;
  readonly bytes: Series;
  readonly faultTolerance: Series;
}

/** Sums of each height; of times the earliest of a height counts. */
export function seriesOf(blocks: readonly LightBlock[]): BlockSeries {
  const byHeight = new Map<number, LightBlock[]>();
  for (const block of blocks) {
    const height = Number(block.blockNumber);
    byHeight.set(height, [...(byHeight.get(height) ?? []), block]);
  }
  const heights = [...byHeight.keys()].sort((one, other) => one - other);
  const at = (height: number) => byHeight.get(height) ?? [];
  const over = (value: (blocks: readonly LightBlock[], height: number) => number | null): Series => [
    heights,
    heights.map((height) => value(at(height), height)),
  ];
  const earliest = (all: readonly LightBlock[]) => Math.min(...all.map(({ timestamp }) => Number(timestamp)));
  return {
    time: over((all, height) => {
      const before = at(height - 1);
      // Genesis may have been made long before the network ran.
      return height <= 1 || before.length === 0 ? null : Math.max(0, earliest(all) - earliest(before));
    }),
    deploys: over((all) => all.reduce((sum, { deployCount }) => sum + deployCount, 0)),
    bytes: over((all) => all.reduce((sum, { blockSize }) => sum + Number(blockSize), 0)),
    faultTolerance: over((all) => Math.max(...all.map(({ faultTolerance }) => faultTolerance))),
  };
}

/** The cost of a block's deploys, as the index returns it. */
export interface BlockCost {
  readonly block_number: string;
  readonly phlo_cost: string;
}

/** Phlo of each height, from blocks in any order. */
export function costsOver(blocks: readonly BlockCost[]): Series {
  const sums = new Map<number, number>();
  for (const { block_number: number, phlo_cost: phlo } of blocks)
    sums.set(Number(number), (sums.get(Number(number)) ?? 0) + Number(phlo));
  const heights = [...sums.keys()].sort((one, other) => one - other);
  return [heights, heights.map((height) => sums.get(height) ?? null)];
}

/** The value of a metric in Prometheus' text form, without labels. */
export function metricOf(text: string, name: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  const value = line === undefined ? Number.NaN : Number(line.slice(name.length + 1).split(" ")[0]);
  return Number.isFinite(value) ? value : undefined;
}
