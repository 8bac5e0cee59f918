import { toHex } from "@vedette/crypto";
import type { LoggedEvent } from "@vedette/tuplespace";

const maxListed = 6;

/**
 * Returns the differences between two logs of one program, in words; COMMs follow from the rest and are left out.
 *
 * @param expected rnode's log
 * @param actual   ours, newest first
 * @param steps our sends and receives, oldest first
 */
export function eventDifferences(
  expected: readonly LoggedEvent[],
  actual: readonly LoggedEvent[],
  steps: readonly string[],
): string[] {
  const ours = actual.filter(isOperation).reverse();
  const meaning = new Map(ours.map((event, index) => [keyOf(event), steps[index] ?? ""]));
  const channels = new Map(ours.map((event, index) => [channelOf(event), steps[index] ?? ""]));
  const theirs = expected.filter(isOperation);
  const missing = subtract(theirs, ours);
  const superfluous = subtract(ours, theirs);
  const lines = [
    ...missing.slice(0, maxListed).map((event) => `only rnode: ${event.kind} ${keyOf(event)}${hint(channels, event)}`),
    ...superfluous.slice(0, maxListed).map((event) => `only ours: ${meaning.get(keyOf(event)) ?? keyOf(event)}`),
  ];
  const comms = [expected, actual].map((log) => log.length - log.filter(isOperation).length);
  if (comms[0] !== comms[1]) lines.push(`COMMs: expected ${comms[0]}, ours ${comms[1]}`);
  return lines;
}

type Operation = Exclude<LoggedEvent, { kind: "comm" }>;

function isOperation(event: LoggedEvent): event is Operation {
  return event.kind !== "comm";
}

function keyOf(event: Operation): string {
  return toHex(event.hash);
}

function channelOf(event: Operation): string {
  return event.kind === "produce" ? toHex(event.channelsHash) : event.channelsHashes.map(toHex).join();
}

function hint(channels: ReadonlyMap<string, string>, event: Operation): string {
  const similar = channels.get(channelOf(event));
  return similar === undefined ? "" : ` on the channel of ours: ${similar}`;
}

function subtract(from: readonly Operation[], what: readonly Operation[]): Operation[] {
  const count = new Map<string, number>();
  for (const event of what) count.set(keyOf(event), (count.get(keyOf(event)) ?? 0) + 1);
  return from.filter((event) => {
    const left = count.get(keyOf(event)) ?? 0;
    count.set(keyOf(event), left - 1);
    return left <= 0;
  });
}
