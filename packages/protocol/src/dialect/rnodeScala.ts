import { wrappedHashTail } from "../block/blockHash.js";
import { scalaForm } from "../block/scalaForm.js";
import { scalaPackets } from "../packet/scalaPackets.js";
import type { Dialect } from "./Dialect.js";

/** The reference node's networks. @spec 40 §1.3 */
export const rnodeScala: Dialect = {
  name: "rnode-scala",
  blockForm: scalaForm,
  deploysMayExpire: false,
  signatureRules: "scala",
  packetForm: scalaPackets,
  transport: {
    leastTlsVersion: "TLSv1.2",
    commonNameAlwaysCounts: false,
    sendDeadlineMs: () => 5000,
    inboundMessages: 64,
    inboundStreams: 8,
    upkeep: { asksTogether: false, mostSilences: 1, forgetsDropped: false },
  },
  blockHashTail: wrappedHashTail,
  compressedStreamsHaveLength: false,
  slashSeedCoversInvalidBlock: false,
  genesisByteOrder: "signed",
};
