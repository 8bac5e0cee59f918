import { SplittableRandom } from "@vedette/crypto";
import {
  type BitSet,
  BoundVar,
  EVar,
  emptyBitSet,
  FreeVar,
  New,
  nil,
  noInjections,
  Par,
  Receive,
  ReceiveBind,
  Send,
  singleBit,
} from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { evaluate } from "../evaluate/evaluate.js";
import { fixedChannel } from "./channels.js";

/** The seed of the bootstrap's generator. @spec 21 §8.3 */
export const bootstrapSeed =
  "Decentralization is based on the simple notion that it is easier to macrobull***t than microbull***t. " +
  "Decentralization reduces large structural asymmetries.";

/** Registry lookup, insert arbitrary, insert signed. @spec 21 §8.3 */
const registryBytes = [14, 15, 16];

const unsafeMax = 2147483647n;

/**
 * Makes the registry's three fixed names reachable for the genesis contract that serves them: on each waits a
 * receive that gives away the bare name.
 *
 * On the empty root this leads to the empty state, `9619d9a3…`.
 *
 * @param space a play space with the built-in processes installed
 * @spec 21 §8.3, §8.4, 30 §8
 */
export function bootstrapRegistry(space: Space): void {
  const result = evaluate({
    program: { par: Par.of({ news: registryBytes.map((byte) => giveAway(fixedChannel(byte), singleBit(0))) }) },
    space,
    phloLimit: unsafeMax,
    random: SplittableRandom.fromSeed(new TextEncoder().encode(bootstrapSeed)),
    mergeableTag: nil,
    replay: false,
  });
  if (result.kind === "broken") throw result.cause;
}

/**
 * `new _ in { for (x <- channel) { x!(channel) } }`
 *
 * Quirk 21 §8.3: made by hand in rnode, so that the send and the body do not record which variable is free in them.
 *
 * @param locallyFree the set of the variable x, in the dialect's form
 */
export function giveAway(channel: Par, locallyFree: BitSet): New {
  const x = Par.of({ exprs: [new EVar(new BoundVar(0))], locallyFree });
  const body = Par.of({ sends: [new Send(x, [channel], false, emptyBitSet, false)] });
  const pattern = Par.of({ exprs: [new EVar(new FreeVar(0))], connectiveUsed: true });
  const bind = new ReceiveBind([pattern], channel, undefined, 1);
  const receive = new Receive([bind], body, false, false, 1, emptyBitSet, false);
  return new New(1, Par.of({ receives: [receive] }), [], noInjections, emptyBitSet);
}
