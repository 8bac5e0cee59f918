import { plainHashTail } from "../block/blockHash.js";
import { rustForm } from "../block/rustForm.js";
import { rustPackets } from "../packet/rustPackets.js";
import type { Dialect } from "./Dialect.js";

/** The newer node's networks. @spec 40 §14, 61 */
export const rnodeRust: Dialect = {
  name: "rnode-rust",
  blockForm: rustForm,
  deploysMayExpire: true,
  signatureRules: "rust",
  packetForm: rustPackets,
  transport: {
    leastTlsVersion: "TLSv1.3",
    commonNameAlwaysCounts: true,
    sendDeadlineMs: (networkTimeoutMs) => Math.max(1000, networkTimeoutMs),
    inboundMessages: 512,
    inboundStreams: 128,
    upkeep: { asksTogether: true, mostSilences: 3, forgetsDropped: true },
  },
  blockHashTail: plainHashTail,
  compressedStreamsHaveLength: true,
  slashSeedCoversInvalidBlock: true,
  genesisByteOrder: "unsigned",
};
