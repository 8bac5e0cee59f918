import { compareBytes, compareSignedBytes } from "@vedette/crypto";
import { type Bond, type Dialect, type Event, encodeEvent } from "@vedette/protocol";

/** Bonds in the order in which the genesis block has them. @spec 40 §10.1, §14.2 */
export function genesisBonds(bonds: readonly Bond[], dialect: Dialect): Bond[] {
  const compare = byteOrder(dialect);
  return [...bonds].sort((left, right) => compare(left.validator, right.validator));
}

/**
 * A deploy's log in the order in which the genesis block has it: by the events' bytes, not by time.
 *
 * Quirk 40 §10.1: replay does not depend on it, but the block's hash does.
 *
 * @spec 40 §10.1, §14.2, 41 §5
 */
export function genesisLog(log: readonly Event[], dialect: Dialect): Event[] {
  const compare = byteOrder(dialect);
  return log
    .map((event) => ({ event, bytes: encodeEvent(event) }))
    .sort((left, right) => compare(left.bytes, right.bytes))
    .map(({ event }) => event);
}

function byteOrder(dialect: Dialect): (left: Uint8Array, right: Uint8Array) => number {
  return dialect.genesisByteOrder === "signed" ? compareSignedBytes : compareBytes;
}
