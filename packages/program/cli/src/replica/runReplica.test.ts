import { expect, test } from "vitest";
import { runReplicaCommand } from "./runReplica.js";

test("wrong options are refused before any file is written", async () => {
  const hash = "ab".repeat(32);
  const cases: [Record<string, string>, string][] = [
    [{ snapshot: "/nowhere" }, "--block"],
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
