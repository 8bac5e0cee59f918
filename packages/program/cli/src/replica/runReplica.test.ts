import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointFormat } from "@vedette/light";
import { expect, test } from "vitest";
import { runReplicaCommand } from "./runReplica.js";

test("wrong options are refused before any file is written", async () => {
  const hash = "ab".repeat(32);
  const cases: [Record<string, string>, string][] = [
    [{ snapshot: "/nowhere" }, "--block"],
    [{ checkpoint: "/nowhere/checkpoint.json" }, "/nowhere/checkpoint.json"],
    [{ block: "ab" }, "--block must be a whole block hash"],
    [{ nats: "localhost" }, "--nats must be URLs"],
    [{ block: hash, quorum: "0" }, "--quorum must be a number from 1 to 64"],
    [{ block: hash, quorum: "two" }, "--quorum must be a number from 1 to 64"],
    [{ quorum: "3", publishers: "one, two" }, "--publishers must be ids of at least as many publishers"],
    [{ quorum: "2", publishers: "one,one" }, "--publishers must be ids of at least as many publishers"],
    [{ publishers: "one,,two" }, "--publishers must be ids"],
    [{ publishers: Array.from({ length: 65 }, (_, at) => `p${at}`).join() }, "at most 64"],
  ];
  for (const [given, words] of cases) await expect(runReplicaCommand(given)).rejects.toThrow(words);
});

test("a checkpoint needs a snapshot, and a snapshot of another block is refused", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-replica-"));
  const checkpoint = join(folder, "checkpoint.json");
  const place = { format: checkpointFormat, dialect: "rnode", shardId: "root", blockNumber: 4, timestamp: 1 };
  writeFileSync(checkpoint, JSON.stringify({ ...place, blockHash: "ab".repeat(32), thresholdPpm: 0 }));
  await expect(runReplicaCommand({ checkpoint })).rejects.toThrow("--snapshot");
  const options = { checkpoint, snapshot: folder, dataDir: join(folder, "data") };
  await expect(runReplicaCommand(options)).rejects.toThrow(/no snapshot .*abab/);
  rmSync(folder, { recursive: true });
});
