import { type Percentiles, percentilesOf } from "@vedette/devtools/devnet";
import type { EventContents, EventFollower, FollowedEvent } from "./EventFollower.js";

/** The parts of a follower that are compared. */
export type Followed = Readonly<Pick<EventFollower, "failure" | "lost" | "left">> & {
  readonly received: readonly FollowedEvent[];
};

/** The events that followers received, beside those that they should have received. */
export interface FollowFigures {
  followers: number;
  /** That each should have received. */
  events: number;
  /** All that were received. */
  received: number;
  lost: number;
  doubled: number;
  /** Received, and not at its place. */
  disordered: number;
  connectionsLost: number;
  left: number;
  readonly failures: string[];
  /** How much later than by the node apart the same events were received. */
  readonly lag: Percentiles | undefined;
}

/** Compares what each follower received, up to a cursor, with the right list. */
export function compareFollowers(
  followers: readonly Followed[],
  right: readonly FollowedEvent[],
  apart: readonly FollowedEvent[],
): FollowFigures {
  const figures: FollowFigures = {
    ...{ followers: followers.length, events: right.length, received: 0, lost: 0, doubled: 0, disordered: 0 },
    ...{ connectionsLost: 0, left: 0, failures: [], lag: lagOf(followers, apart) },
  };
  for (const { received, failure, lost, left } of followers) {
    const upTo = cutAt(received, right.at(-1)!.cursor);
    figures.received += upTo.length;
    figures.connectionsLost += lost;
    figures.left += left;
    if (failure !== undefined) figures.failures.push(failure);
    const places = new Map<string, number>();
    for (const [at, { cursor }] of upTo.entries()) {
      if (places.has(cursor)) figures.doubled += 1;
      else places.set(cursor, at);
    }
    let before = -1;
    for (const { cursor, content } of right) {
      const at = places.get(cursor);
      if (at === undefined || upTo[at]!.content !== content) {
        figures.lost += 1;
        continue;
      }
      if (at < before) figures.disordered += 1;
      before = at;
    }
    const known = new Set(right.map(({ cursor }) => cursor));
    figures.disordered += [...places.keys()].filter((cursor) => !known.has(cursor)).length;
  }
  return figures;
}

/** All up to an event; all where it is not among them. */
export function cutAt(received: readonly FollowedEvent[], cursor: string): readonly FollowedEvent[] {
  const at = received.findIndex((event) => event.cursor === cursor);
  return at < 0 ? received : received.slice(0, at + 1);
}

/** Returns the events about the blocks of some heights, each with its count. */
export function saidOf(
  received: readonly FollowedEvent[],
  contents: EventContents,
  heights: { readonly from: number; readonly to: number },
): Record<string, number> {
  const said: Record<string, number> = {};
  for (const { content } of received) {
    const event = contents.event(content);
    if (!("blockNumber" in event)) continue;
    const height = Number(event.blockNumber);
    if (height < heights.from || height > heights.to) continue;
    const name = `#${height} ${event.kind} ${event.blockHash} (${content})`;
    said[name] = (said[name] ?? 0) + 1;
  }
  return said;
}

function lagOf(followers: readonly Followed[], apart: readonly FollowedEvent[]): Percentiles | undefined {
  const firstMs = new Map(apart.map(({ content, atMs }) => [content, atMs]));
  const lags: number[] = [];
  for (const { received } of followers)
    for (const { content, atMs } of received) {
      const first = firstMs.get(content);
      if (first !== undefined) lags.push(atMs - first);
    }
  return percentilesOf(lags);
}
