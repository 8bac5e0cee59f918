import type { LightBlock } from "@vedette/client";
import { csvOf } from "../../text/csv.js";

/** Numbers over heights, as plots want them: the first row has the heights. */
export type Series = [heights: number[], ...values: (number | null)[][]];

/** Everything that is plotted over heights, from blocks in any order. */
export interface BlockSeries {
  /** Milliseconds since the height below. */
  readonly time: Series;
  readonly deploys: Series;
  readonly bytes: Series;
  readonly faultTolerance: Series;
  /** In the smallest unit of the token; `null` where blocks of a height differ in it and none is final. */
  readonly stake: Series;
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
    stake: over(stakeOf),
  };
}

/** Amounts in the smallest unit as coins. */
export function inCoins([places, amounts = []]: Series, decimals: number): Series {
  return [places, amounts.map((amount) => (amount === null ? null : amount / 10 ** decimals))];
}

/** The total stake after the blocks of a height. */
function stakeOf(blocks: readonly LightBlock[]): number | null {
  const final = blocks.filter(({ isFinalized }) => isFinalized);
  const stakes = new Set(
    (final.length > 0 ? final : blocks).map(({ bonds }) => bonds.reduce((sum, { stake }) => sum + stake, 0n)),
  );
  const [stake] = stakes;
  return stake === undefined || stakes.size > 1 ? null : Number(stake);
}

/** Whether there is anything to draw. */
export function hasValues([, values = []]: Series): boolean {
  return values.some((value) => value !== null);
}

/** A series as a file; a value that is not known is empty. @param head `time`, of seconds since 1970, or `height` */
export function seriesCsv(head: readonly ["time" | "height", string], [places, values = []]: Series): string {
  const placeOf = (place: number) => (head[0] === "time" ? new Date(place * 1_000).toISOString() : String(place));
  return csvOf(
    head,
    places.map((place, at) => [placeOf(place), String(values[at] ?? "")]),
  );
}

/** A block's costs and its way to finality, as the index returns them. */
export interface IndexedBlock {
  readonly block_number: string;
  readonly timestamp: string;
  readonly fate: string;
  /** The newest block when this one became final; `null` until then, and where the node did not decide it. */
  readonly finalized_at_block_number: string | null;
  readonly finalized_at_timestamp: string | null;
  readonly phlo_cost: string;
  /** In the smallest unit of the token. */
  readonly fees_dust: string;
}

/** Phlo or fees of each height, from blocks in any order. */
export function costsOver(blocks: readonly IndexedBlock[], of: "phlo_cost" | "fees_dust"): Series {
  const sums = new Map<number, number>();
  for (const block of blocks) {
    const height = Number(block.block_number);
    sums.set(height, (sums.get(height) ?? 0) + Number(block[of]));
  }
  const heights = [...sums.keys()].sort((one, other) => one - other);
  return [heights, heights.map((height) => sums.get(height) ?? null)];
}

/** How long each height took to become final, from blocks in any order: of several blocks the longest. */
export function lagsOver(blocks: readonly IndexedBlock[]) {
  const lags = new Map<number, { readonly blocks: number; readonly ms: number } | undefined>();
  let unknown = 0;
  for (const block of blocks) {
    const height = Number(block.block_number);
    const before = lags.get(height);
    lags.set(height, before);
    if (block.finalized_at_block_number === null) {
      // Nothing is to be decided of genesis.
      if (block.fate === "finalized" && height > 0) unknown += 1;
      continue;
    }
    const after = Number(block.finalized_at_block_number) - height;
    const ms = Number(block.finalized_at_timestamp) - Number(block.timestamp);
    lags.set(height, { blocks: Math.max(after, before?.blocks ?? after), ms: Math.max(ms, before?.ms ?? ms) });
  }
  const heights = [...lags.keys()].sort((one, other) => one - other);
  const over = (of: "blocks" | "ms"): Series => [heights, heights.map((height) => lags.get(height)?.[of] ?? null)];
  return {
    blocks: over("blocks"),
    /** Milliseconds. */
    time: over("ms"),
    /** Final blocks of which it is not known. */
    unknown,
  };
}

/** The value of a metric in Prometheus' text form, without labels. */
export function metricOf(text: string, name: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  const value = line === undefined ? Number.NaN : Number(line.slice(name.length + 1).split(" ")[0]);
  return Number.isFinite(value) ? value : undefined;
}
