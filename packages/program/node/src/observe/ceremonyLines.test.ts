import { lineOf } from "@vedette/config/log";
import { textOf } from "@vedette/config/testing";
import type { Peer } from "@vedette/network";
import type { SyncEvent } from "@vedette/sync";
import { expect, test } from "vitest";
import { syncLines } from "./syncLines.js";

const peer: Peer = { id: "ab".repeat(20), host: "host", protocolPort: 40400, discoveryPort: 40404 };
const uri = `rnode://${peer.id}@host?protocol=40400&discovery=40404`;
const hash = new Uint8Array(32).fill(0x1f);
const validator = new Uint8Array(65).fill(4);
const say = (event: SyncEvent) => {
  const line = lineOf(syncLines, event);
  return `${line?.level} ${textOf(line)}`;
};

test("a ceremony is logged in rnode's words", () => {
  const counts = { signatures: 1, validators: 3, requiredSignatures: 2 };
  const events: SyncEvent[] = [
    { type: "launched", state: "ceremonyMaster" },
    { type: "launched", state: "genesisValidator" },
    { type: "ceremonyStarted", validators: 3, requiredSignatures: 2, durationMs: 60000 },
    { type: "genesisSelfApproved" },
    { type: "unapprovedBlockSent", hash },
    { type: "ceremonyInProgress", ...counts, elapsedMs: 10000, durationMs: 60000 },
    { type: "ceremonyCompleting", ...counts, signatures: 2, isTimeUp: true },
    { type: "ceremonyFinished" },
    { type: "approvedBlockSent", hash },
    { type: "approvalReceived", validator, isNew: true, signers: [validator, validator] },
    { type: "approvalRefused", validator, reason: "untrusted" },
    { type: "approvalRefused", validator, reason: "invalid" },
    { type: "candidateReceived", hash, peer },
    { type: "candidateRepeated", hash },
    { type: "candidateApproved", peer },
    { type: "candidateRefused", peer, reason: "Tuplespace hash mismatch." },
  ];
  const key = "04".repeat(65);
  expect(events.map(say)).toEqual([
    "info Approved block not found, taking part in ceremony as ceremony master",
    "info Approved block not found, taking part in ceremony as genesis validator",
    "info Starting execution of ApprovedBlockProtocol. Total bonded validators: 3, required signatures: 2, timeout: 60000ms.",
    "info Self-approving genesis block.",
    "info Broadcasting UnapprovedBlock 1f1f1f1f1f......",
    "info Genesis ceremony in progress. Signatures: 1/3 total (2 required). Duration: 10000ms of 60000ms timeout. Continue broadcasting UnapprovedBlock...",
    "info Completing genesis ceremony: 2/3 validators signed, required: 2, timeout: reached",
    "info Finished execution of ApprovedBlockProtocol",
    "info Sending ApprovedBlock 1f1f1f1f1f... to peers...",
    `info New signature received\nReceived block approval from ${key}\n2 approvals received: 0404040404..., 0404040404...`,
    "warn Received BlockApproval from untrusted validator.",
    `warn Ignoring invalid block approval from ${key}`,
    `info Received expected genesis block candidate from ${uri}. Verifying...`,
    "warn UnapprovedBlock 1f1f1f1f1f... is already being verified. Dropping repeated message.",
    `info Approved genesis block candidate from ${uri}. Approval sent in response.`,
    `warn Received unexpected genesis block candidate from ${uri} because: Tuplespace hash mismatch.`,
  ]);
});
