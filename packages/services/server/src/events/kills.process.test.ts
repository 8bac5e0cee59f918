import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { LmdbStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { type ReceivedEvent, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

const program = fileURLToPath(new URL("../../dist/testing/eventsChild.js", import.meta.url));
const blocks = 200;

test("a node that is killed at any moment neither loses nor doubles an event", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-events-"));
  const directory = join(folder, "chain");
  const received: ReceivedEvent[] = [];
  let after = "oldest";
  try {
    for (let kills = 0, isDone = false; !isDone; kills += 1) {
      const child = spawn(process.execPath, [program, directory, String(blocks)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
      const port = Number((await lines.next()).value);
      await using client = await WebSocketClient.connect(port, `/v2/events?after=${after}`);
      const done = lines.next().then(({ value }) => value === "done");
      // The last one is left to end by itself.
      isDone = await (kills < 6 ? Promise.race([done, sleep(60 + 70 * kills).then(() => false)]) : done);
      if (isDone)
        await client.until(
          (messages) =>
            (messages.at(-1)?.["blockNumber"] ?? 0) === blocks && messages.at(-1)!.kind === "deployFinalized",
        );
      await killed(child);
      if (!client.hasEnded) await client.closed();
      received.push(...client.messages.slice(1).filter(({ kind }) => kind !== "heartbeat"));
      after = received.at(-1)?.cursor ?? "oldest";
    }
    const store = new LmdbStore(directory, { tables: tablesOf("chain") });
    {
      await using node = await EventsNode.start({ store });
      await using all = await WebSocketClient.connect(node.port, "/v2/events?after=oldest");
      const log = await all.until((messages) => messages.length === 1 + 1 + blocks * 4);
      expect(received).toEqual(log.slice(1));
      const made = new FakeEventChain();
      made.grow(blocks);
      const numbers = (kind: string) => log.filter((event) => event.kind === kind).map((event) => event["blockNumber"]);
      for (const kind of ["blockAdded", "deployIncluded", "blockFinalized", "deployFinalized"])
        expect(numbers(kind)).toEqual(Array.from({ length: blocks }, (_, index) => index + 1));
    }
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
