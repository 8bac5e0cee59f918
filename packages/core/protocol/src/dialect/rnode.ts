import { wrappedHashTail } from "../block/blockHash.js";
import { rnodeForm } from "../block/rnodeForm.js";
import { rnodePackets } from "../packet/rnodePackets.js";
import type { Dialect } from "./Dialect.js";

/** rnode's networks. @spec 40 §1.3 */
export const rnode: Dialect = {
  name: "rnode",
  blockForm: rnodeForm,
  deploysMayExpire: false,
  deploysExpireBy: "next",
  unpaidDeploysTakeEffect: false,
  signatureRules: "rnode",
  packetForm: rnodePackets,
  transport: {
    minTlsVersion: "TLSv1.2",
    commonNameAlwaysCounts: false,
    sendDeadlineMs: () => 5000,
    inboundMessages: 64,
    inboundStreams: 8,
    upkeep: { asksTogether: false, maxMissedBeats: 1, removesDropped: false },
  },
  blockHashTail: wrappedHashTail,
  compressedStreamsHaveLength: false,
  slashSeedCoversInvalidBlock: false,
  genesisByteOrder: "signed",
};
