import { plainHashTail } from "../block/blockHash.js";
import { f1r3nodeForm } from "../block/f1r3nodeForm.js";
import { f1r3nodePackets } from "../packet/f1r3nodePackets.js";
import type { Dialect } from "./Dialect.js";

/** f1r3node's networks. @spec 40 §14, 61 */
export const f1r3node: Dialect = {
  name: "f1r3node",
  blockForm: f1r3nodeForm,
  deploysMayExpire: true,
  deploysExpireBy: "lastFinal",
  unpaidDeploysTakeEffect: true,
  signatureRules: "f1r3node",
  packetForm: f1r3nodePackets,
  transport: {
    minTlsVersion: "TLSv1.3",
    commonNameAlwaysCounts: true,
    sendDeadlineMs: (networkTimeoutMs) => Math.max(1000, networkTimeoutMs),
    inboundMessages: 512,
    inboundStreams: 128,
    upkeep: { asksTogether: true, maxMissedBeats: 3, removesDropped: true },
  },
  blockHashTail: plainHashTail,
  compressedStreamsHaveLength: true,
  slashSeedCoversInvalidBlock: true,
  genesisByteOrder: "unsigned",
};
