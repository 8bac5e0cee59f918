import type { DeployTry } from "@vedette/execution";
import type { PlayTimes } from "./BlockTimeBudget.js";
import type { PoolEntry } from "./PoolEntry.js";
import type { SenderReputation } from "./SenderReputation.js";

/** Deploys and the order in which they are tried. */
export interface PlayPlan<T> {
  readonly deploys: readonly T[];
  readonly tries: readonly DeployTry[];
}

/** Deploys that cannot be executed after which no further one of the same address is tried in a block. */
const maxOfAddress = 4;

/**
 * Plans when each deploy is tried, and for how long: if few wait, each may take its share of all the time.
 *
 * Familiar programs come first while there is time for the rest too; those without time come again behind the others.
 * Deploys that failed to execute before come last: the first tries of others may leave them no time. A wallet's program
 * can only have met a stalled machine, and does not wait behind them.
 *
 * @spec 40 §9.5
 */
export function planAttempts(
  groups: Readonly<Record<"familiar" | "others" | "again", readonly PoolEntry[]>>,
  times: PlayTimes,
  trust: Pick<SenderReputation, "isTrusted" | "isOfPayer">,
): PlayPlan<PoolEntry> {
  const { familiar, others, again } = groups;
  const { beginMs, familiarMs, firstTryMs, secondTryMs } = times;
  const addresses = new Map<string, number>();
  const shareMs = beginMs / Math.max(1, familiar.length + others.length);
  const first = { maximumMs: Math.max(firstTryMs, shareMs), beginBeforeMs: beginMs };
  const familiarTries = familiar.map((entry, index): DeployTry => {
    const key = keyName(entry);
    return { index, ...first, names: trust.isTrusted(entry) ? [key] : [key, `program ${entry.shape}`] };
  });
  const otherTries = others.map((entry, place): DeployTry => {
    const { origin } = entry;
    const isAlone = origin === undefined || trust.isOfPayer(entry);
    const names = isAlone ? [keyName(entry)] : [keyName(entry), laneOf(origin, addresses)];
    return { index: familiar.length + place, ...first, names };
  });
  const againTries = again.map((entry, place): DeployTry => {
    const index = familiar.length + others.length + place;
    return { index, maximumMs: secondTryMs, beginBeforeMs: beginMs, names: [keyName(entry)] };
  });
  const trustedAgain = againTries.filter((_, place) => trust.isTrusted(again[place]!));
  const soon = [...trustedAgain, ...(others.length === 0 ? [] : familiarTries)];
  const early = soon.map((one) => ({ ...one, beginBeforeMs: Math.min(familiarMs, beginMs) }));
  return {
    deploys: [...familiar, ...others, ...again],
    tries: [...early, ...otherTries, ...familiarTries, ...againTries],
  };
}

function keyName({ deployer }: PoolEntry): string {
  return `key ${deployer}`;
}

/** Each lane of an address stops with its first fault. */
function laneOf(origin: string, counts: Map<string, number>): string {
  const count = counts.get(origin) ?? 0;
  counts.set(origin, count + 1);
  return `address ${origin} ${count % maxOfAddress}`;
}
