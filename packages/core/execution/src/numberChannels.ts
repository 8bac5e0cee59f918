import { fromHex, toHex } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import type { Datum, Space, StateView } from "@vedette/tuplespace";
import { ExecutionError } from "./ExecutionError.js";
import type { ExecutionDialect } from "./form/ExecutionDialect.js";

/** Final values of a deploy's number channels: hex of the channel hash → value. @spec 41 §9 */
export type NumberChannels = ReadonlyMap<string, bigint>;

const noChannels: NumberChannels = new Map();

/** Channels that a program used and that merging treats as numbers. @spec 21 §3.6, 61 §12.2 */
export interface MergeableChannels {
  /** Channels on which a merge adds up the changes of deploys. */
  readonly mergeable: readonly Par[];
  /** Channels on which a merge joins the values of deploys bit by bit. */
  readonly bitmasks: readonly Par[];
}

/** Those of the parts of a deploy together. */
export class GatheredChannels implements MergeableChannels {
  readonly mergeable: Par[] = [];
  readonly bitmasks: Par[] = [];

  add({ mergeable, bitmasks }: MergeableChannels): void {
    this.mergeable.push(...mergeable);
    this.bitmasks.push(...bitmasks);
  }
}

/** The values that a deploy left on the channels that it used. */
export interface ChannelValues {
  readonly numberChannels: NumberChannels;
  readonly bitmasks: NumberChannels;
}

/** @throws {ExecutionError} `numberChannel` as {@link readNumberChannels} @spec 41 §9, 61 §10 */
export function readChannelValues(space: Space, used: MergeableChannels, form: NumberForm): ChannelValues {
  return {
    numberChannels: readNumberChannels(space, used.mergeable, form),
    bitmasks: readBitmasks(space, used.bitmasks, form),
  };
}

type NumberForm = Pick<ExecutionDialect, "terms" | "numberIn">;

/** All bits that the data of each channel have set; data that are no numbers are passed over. @spec 61 §10 */
function readBitmasks(space: Space, channels: readonly Par[], { terms, numberIn }: NumberForm): NumberChannels {
  if (channels.length === 0) return noChannels;
  const values = new Map<string, bigint>();
  for (const channel of channels) {
    const numbers = space.data(channel).flatMap((datum) => numberIn(datum) ?? []);
    if (numbers.length === 0) continue;
    values.set(
      toHex(terms.channelHash(channel)),
      numbers.reduce((all, bits) => all | bits),
    );
  }
  return values;
}

/**
 * Reads the final value of every mergeable channel that a deploy used.
 *
 * @throws {ExecutionError} `numberChannel` when a channel holds more than one datum or no single integer; the
 *   whole block operation fails then, with one parent too
 * @spec 41 §9, 30 §A.6
 */
export function readNumberChannels(
  space: Space,
  channels: Iterable<Par>,
  { terms, numberIn }: NumberForm,
): NumberChannels {
  const values = new Map<string, bigint>();
  for (const channel of channels) {
    const data = space.data(channel);
    if (data.length === 0) continue;
    if (data.length > 1) throw numberChannelError("NumberChannel must have singleton value.");
    const value = numberIn(data[0]!);
    if (value !== undefined) values.set(toHex(terms.channelHash(channel)), value);
  }
  return values;
}

/**
 * The value of a number channel in a state, 0 where it has none.
 *
 * @throws {ExecutionError} `numberChannel`
 * @spec 30 §A.6
 */
export function storedNumber(state: StateView, channelHashHex: string): bigint {
  const data = state.data(fromHex(channelHashHex));
  if (data.length > 1)
    throw numberChannelError("To calculate difference on a number channel, single value is expected.");
  return data.length === 0 ? 0n : requireNumber(data[0]!);
}

/** The only integer of a datum; `undefined` where it is something else. @spec 41 §9 */
export function numberOf(datum: Datum): bigint | undefined {
  const { pars } = datum.a;
  const expr = pars.length === 1 && pars[0]!.exprs.length === 1 ? pars[0]!.exprs[0]! : undefined;
  return expr?.kind === "GInt" ? expr.value : undefined;
}

/** The only integer of a datum. @throws {ExecutionError} `numberChannel` @spec 41 §9 */
export function requireNumber(datum: Datum): bigint {
  const value = numberOf(datum);
  if (value === undefined) throw numberChannelError("Number channel should contain single Int term.");
  return value;
}

function numberChannelError(message: string): ExecutionError {
  return new ExecutionError({ code: "numberChannel", message });
}

/**
 * Returns the changes of each deploy: for every channel the difference to its value before that deploy.
 *
 * @param base value in the block's pre-state, 0 where the channel has no datum
 * @param deploys final values, user deploys then system deploys
 * @spec 41 §9, 30 §A.6
 */
export function numberChannelDifferences(
  base: (channelHashHex: string) => bigint,
  deploys: readonly NumberChannels[],
): NumberChannels[] {
  const running = new Map<string, bigint>();
  return deploys.map((values) => {
    const differences = new Map<string, bigint>();
    for (const [channel, value] of values) {
      differences.set(channel, value - (running.get(channel) ?? base(channel)));
      running.set(channel, value);
    }
    return differences;
  });
}
