import { fromHex } from "@vedette/crypto";
import { type ItemState, type NumberChange, type NumberChanges, numberChange, numberIn } from "@vedette/tuplespace";
import type { ChannelValues } from "../../numberChannels.js";

/**
 * Returns the changes that each deploy of a block made to number channels: the difference to the value that an earlier
 * deploy left, or to that of the block's pre-state.
 *
 * @param before the block's pre-state; a channel that is not in it begins with 0
 * @param deploys user deploys, then system deploys
 * @throws {MergeError} `numberChannel` where the pre-state has more than one datum on a channel, or no number
 * @spec 61 §12.2
 */
export function numberDifferences(before: ItemState, deploys: readonly ChannelValues[]): NumberChanges[] {
  const values = new Map<string, bigint>();
  const step = (kind: NumberChange["kind"], channel: string, after: bigint): [string, NumberChange] => {
    const previous = values.get(channel) ?? numberIn(before, fromHex(channel));
    values.set(channel, after);
    return [channel, numberChange(kind, previous, after)];
  };
  return deploys.map(
    ({ numberChannels, bitmasks }) =>
      new Map([
        ...[...numberChannels].map(([channel, after]) => step("add", channel, after)),
        ...[...bitmasks].map(([channel, after]) => step("or", channel, after)),
      ]),
  );
}
