import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, onTestFinished, test } from "vitest";
import { HistoryVerificationService, type ProofParts } from "./HistoryVerificationService.js";

test("the history in a status reads no block from the store", () => {
  const path = mkdtempSync(join(tmpdir(), "vedette-proof-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const parts = {
    directory: { path },
    store: new MemoryStore(tablesOf("chain")),
    config: { "sync.verify-history": true },
  };
  const proof = new HistoryVerificationService({
    parts: parts as unknown as ProofParts["parts"],
    network: undefined as unknown as ProofParts["network"],
    bootstrap: undefined,
    approved: () => expect.fail("every request for the status would read it"),
    first: () => ({ hash: new Uint8Array(32), number: 7n }),
    isBehind: () => false,
    say: () => {},
  });
  expect(proof.view()).toEqual({
    verifiedFrom: 8n,
    history: { phase: "waiting", blockNumber: undefined, target: 7n, blocksPerSecond: 0, reason: undefined },
  });
});
