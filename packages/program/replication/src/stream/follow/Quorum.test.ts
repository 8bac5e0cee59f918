import { beforeAll, describe, expect, test } from "vitest";
import { readFacts } from "../blockMessage.js";
import { alarmMessage, saidMessage } from "../plainMessages.js";
import { StreamNames } from "../StreamNames.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import type { QuorumRule } from "./Quorum.js";

const names = new StreamNames("test");
const newest = 3;
let origin: LoggedChain;
let made: MemoryPort;

beforeAll(async () => {
  origin = await LoggedChain.begin(newest);
  made = new MemoryPort();
  for (const publisher of ["one", "two"]) await publishAll(origin, { port: made, publisher });
});

/** The stream that two publishers have made, before anything happens to it. */
function streamOfTwo() {
  const port = new MemoryPort();
  for (const [subject, bytes] of made.messages) port.messages.set(subject, bytes);
  const ofHeight = (height: number) => {
    for (const [subject, bytes] of port.messages)
      if (subject.includes(".block.") && readFacts(subject, bytes).facts.number === height) return subject;
    throw new TypeError(`no block #${height}`);
  };
  const hashOf = (height: number) => ofHeight(height).split(".").at(-2)!;
  return { port, hashOf };
}

/** Follows until it waits, or all was read. */
async function follow(port: MemoryPort, rule: QuorumRule, world = new ReplicaWorld()) {
  const events = await world.follow(new MemorySource(port), {
    quorum: { patienceMs: 20, ...rule },
    until: ({ type }) => type === "waits",
  });
  const { dag } = world.open().chain;
  const waiting = events.find((event) => event.type === "waits");
  return {
    newest: Number(dag.nextBlockNumber()) - 1,
    final: Number(dag.lastFinalized()?.number ?? -1),
    waits: waiting?.type === "waits" ? waiting.error.message : undefined,
  };
}

const all = { newest, final: newest, waits: undefined };

describe("a replica with a quorum", () => {
  test("takes what enough publishers state, and none of what fewer do", async () => {
    const { port } = streamOfTwo();
    expect(await follow(port, { needed: 2 })).toEqual(all);
    const waiting = await follow(port, { needed: 3 });
    expect(waiting.waits).toMatch(/^Block [0-9a-f]{64} is valid according to 2 \(one, two\), 3 required/);
    expect(waiting.newest).toBe(-1);
  });

  test("stays before the block that needs one more statement, and goes on when that one comes", async () => {
    const { port, hashOf } = streamOfTwo();
    const subject = names.said(hashOf(2), "valid", "two");
    const bytes = port.messages.get(subject)!;
    port.messages.delete(subject);
    const world = new ReplicaWorld();
    expect(await follow(port, { needed: 2 }, world)).toMatchObject({
      newest: 1,
      waits: expect.stringContaining("one"),
    });
    port.messages.set(subject, bytes);
    expect(await follow(port, { needed: 2 }, world)).toEqual(all);
  });

  test("holds for what is final, too", async () => {
    const { port, hashOf } = streamOfTwo();
    port.messages.delete(names.said(hashOf(2), "final", "one"));
    expect(await follow(port, { needed: 2 })).toMatchObject({ final: 1, waits: expect.stringContaining("is final") });
  });

  test("counts each listed publisher once, and no statement that differs or cannot be read", async () => {
    const { hashOf } = streamOfTwo();
    const cases: [string, (port: MemoryPort, subject: string) => void, Partial<QuorumRule>, RegExp][] = [
      [
        "another content",
        (port, subject) => port.messages.set(subject, saidMessage({ content: "ab".repeat(32), publisher: "two" })),
        {},
        /according to 1 \(one\), 2 required; different content from two/,
      ],
      ["no message", (port, subject) => port.messages.set(subject, Uint8Array.of(1)), {}, /according to 1 \(one\)/],
      ["too long", (port, subject) => port.messages.set(subject, new Uint8Array(10_000)), {}, /according to 1 \(one\)/],
      [
        "a stranger",
        (port, subject) => {
          const bytes = port.messages.get(subject)!;
          port.messages.delete(subject);
          port.messages.set(names.said(hashOf(1), "valid", "a stranger"), bytes);
        },
        { publishers: ["one", "two"] },
        /according to 1 \(one\)/,
      ],
      ["named twice", (port, subject) => port.messages.delete(subject), { publishers: ["one", "one"] }, /to 1 \(one\)/],
      ["none of them", () => {}, { publishers: ["three"] }, /according to no publisher/],
    ];
    for (const [what, change, rule, words] of cases) {
      const { port } = streamOfTwo();
      change(port, names.said(hashOf(1), "valid", "two"));
      const { waits, newest: reached } = await follow(port, { needed: 2, ...rule });
      expect([what, waits]).toEqual([what, expect.stringMatching(words)]);
      expect(reached).toBeLessThan(1);
    }
  });

  test("listens to no more than it can, however many speak", async () => {
    const { port, hashOf } = streamOfTwo();
    const asked: string[] = [];
    for (let at = 0; at < 500; at += 1)
      port.messages.set(
        names.said(hashOf(0), "valid", `x${at}`),
        saidMessage({ content: "00".repeat(32), publisher: "x" }),
      );
    port.before = (what) => void (what.includes(".said.") && asked.push(what));
    expect((await follow(port, { needed: 3 })).waits).toBeDefined();
    expect(new Set(asked).size).toBeLessThanOrEqual(64);
  });

  test("sees an alarm about the block that it waits for", async () => {
    const { port, hashOf } = streamOfTwo();
    const hash = hashOf(1);
    port.messages.delete(names.said(hash, "valid", "two"));
    const source = new MemorySource(port);
    // Alarms were looked for before: this one comes while it waits.
    source.before = ({ subject }) => {
      if (!subject.includes(hash)) return;
      port.messages.set(names.alarm(hash), alarmMessage({ hash, valid: "one", invalid: "two" }));
    };
    await expect(new ReplicaWorld().follow(source, { quorum: { needed: 2 } })).rejects.toThrow(
      `Publishers differ about block ${hash}`,
    );
  });

  test("goes on where the server was away while it waited", async () => {
    const { port } = streamOfTwo();
    let asked = 0;
    port.before = (what) => {
      asked += 1;
      if (what.includes(".said.") && asked % 5 === 0) throw new TypeError("no answer");
    };
    const world = new ReplicaWorld();
    for (let round = 0; round < 12; round += 1)
      await world.follow(new MemorySource(port), { quorum: { needed: 2 }, until: ({ type }) => type === "failed" });
    port.before = () => {};
    expect(await follow(port, { needed: 2 }, world)).toEqual(all);
  });
});
