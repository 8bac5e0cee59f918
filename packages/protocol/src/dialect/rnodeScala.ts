import { wrappedHashTail } from "../block/blockHash.js";
import { scalaForm } from "../block/scalaForm.js";
import type { Dialect } from "./Dialect.js";

/** The reference node's networks. @spec 40 §1.3 */
export const rnodeScala: Dialect = {
  name: "rnode-scala",
  blockForm: scalaForm,
  deploysMayExpire: false,
  blockHashTail: wrappedHashTail,
  compressedStreamsHaveLength: false,
  slashSeedCoversInvalidBlock: false,
  genesisByteOrder: "signed",
};
