import { plainHashTail } from "../block/blockHash.js";
import type { Dialect } from "./Dialect.js";

/** The newer node's networks: only the facts below are known to Vedette so far. @spec 40 §14 */
export const rnodeRust: Dialect = {
  name: "rnode-rust",
  blockHashTail: plainHashTail,
  compressedStreamsHaveLength: true,
  slashSeedCoversInvalidBlock: true,
  genesisByteOrder: "unsigned",
};
