import { plainHashTail } from "../block/blockHash.js";
import { rustForm } from "../block/rustForm.js";
import type { Dialect } from "./Dialect.js";

/** The newer node's networks: only the facts below are known to Vedette so far. @spec 40 §14 */
export const rnodeRust: Dialect = {
  name: "rnode-rust",
  blockForm: rustForm,
  deploysMayExpire: true,
  blockHashTail: plainHashTail,
  compressedStreamsHaveLength: true,
  slashSeedCoversInvalidBlock: true,
  genesisByteOrder: "unsigned",
};
