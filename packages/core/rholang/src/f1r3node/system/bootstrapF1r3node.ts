import { F1r3nodeRandom } from "@vedette/crypto";
import { nil, oneIndex, Par } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { bootstrapSeed, giveAway } from "../../system/registryBootstrap.js";
import { evaluateF1r3node } from "../evaluate/evaluateF1r3node.js";
import { f1r3nodeFixedChannel } from "./f1r3nodeChannels.js";

/** Registry lookup, insert arbitrary, insert signed, and both names of the versioned registry. @spec 61 §2.3 */
const registryBytes = [14, 15, 16, 19, 24];

const unlimited = (1n << 63n) - 1n;

/**
 * Makes the registry's fixed names reachable for the genesis contracts that serve them. On the empty root this leads to
 * the empty state, `facf59cc…`.
 *
 * @param space a play space with the built-in processes installed
 * @spec 21 §8.3, 61 §2.3
 */
export function bootstrapF1r3node(space: Space): void {
  const result = evaluateF1r3node({
    program: { par: Par.of({ news: registryBytes.map((byte) => giveAway(f1r3nodeFixedChannel(byte), oneIndex(0))) }) },
    space,
    phloLimit: unlimited,
    random: F1r3nodeRandom.fromSeed(new TextEncoder().encode(bootstrapSeed)),
    mergeableTag: nil,
    replay: false,
  });
  if (result.kind === "broken") throw result.cause;
}
