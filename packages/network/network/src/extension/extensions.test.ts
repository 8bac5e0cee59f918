import { afterEach, expect, test } from "vitest";
import { NetworkError } from "../NetworkError.js";
import type { Peer } from "../Peer.js";
import { TestNode } from "../testing/testNetwork.js";
import { readExtensions, readVersion } from "./ExtensionServer.js";

const nodes: TestNode[] = [];

afterEach(async () => {
  for (const node of nodes.splice(0)) await node[Symbol.asyncDispose]();
});

async function started(prepare: (node: TestNode) => void = () => {}): Promise<TestNode> {
  const node = new TestNode();
  nodes.push(node);
  prepare(node);
  return node.start();
}

async function connected(one: TestNode, other: TestNode): Promise<void> {
  await one.network.connect(other.peer);
  await one.until(() => one.network.peers.length === 1);
  await other.until(() => other.network.peers.length === 1);
}

const question = { extension: "echo.1", content: Uint8Array.of(1, 2), maxAnswerBytes: 100, deadlineMs: 3_600_000 };

async function failureOf(one: TestNode, peer: Peer, change: Partial<typeof question> = {}): Promise<unknown> {
  const outcome = await one.network.ask(peer, { ...question, ...change }).catch((error: unknown) => error);
  return outcome instanceof NetworkError ? outcome.failure : outcome;
}

test("a request goes only to a peer that announced the extension, and is answered", async () => {
  const asking = await started();
  const answering = await started(({ network }) => {
    network.answer("echo.1", async (peerId, content) => Uint8Array.of(...content, peerId.length));
  });
  expect(await failureOf(asking, answering.peer)).toMatchObject({ code: "notUnderstood", extension: "echo.1" });
  await connected(asking, answering);
  expect(asking.network.understands(answering.peer, "echo.1")).toBe(true);
  expect(asking.network.understands(answering.peer, "echo.2")).toBe(false);
  expect(answering.network.understands(asking.peer, "echo.1")).toBe(false);
  expect(await asking.network.ask(answering.peer, question)).toEqual(new Uint8Array([1, 2, 40]));
});

test("strangers are not answered, nor more questions of one peer than are allowed at once", async () => {
  const waiting: (() => void)[] = [];
  const answering = await started(({ network }) => {
    network.answer("echo.1", (_, content) => new Promise((resolve) => waiting.push(() => resolve(content))));
  });
  const asking = await started();
  await connected(asking, answering);
  const [first, ...others] = Array.from({ length: 5 }, () => asking.network.ask(answering.peer, question));
  await expect(Promise.race([first, ...others])).rejects.toMatchObject({ failure: { code: "tooLarge" } });
  for (const answer of waiting) answer();
  expect((await Promise.allSettled([first, ...others])).filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  answering.network.forget(asking.peer.id);
  expect(await failureOf(asking, answering.peer)).toMatchObject({ code: "unavailable" });
});

test("an answer that is too long, or that does not come, ends the question", async () => {
  const answering = await started(({ network }) => {
    network.answer("echo.1", async (_, [kind], signal) => {
      if (kind === 1) return new Uint8Array(200);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    });
  });
  const asking = await started();
  await connected(asking, answering);
  expect(await failureOf(asking, answering.peer)).toMatchObject({ code: "tooLarge" });
  expect(await failureOf(asking, answering.peer, { content: Uint8Array.of(2), deadlineMs: 50 })).toEqual({
    code: "timeout",
  });
});

test("a node announces its version with its answers, and a node without one announces none", async () => {
  const [named, unnamed, asking] = [new TestNode({ version: "Vedette 1.2.3" }), new TestNode(), new TestNode()];
  nodes.push(named, unnamed, asking);
  for (const node of [named, unnamed, asking]) await node.start();
  expect(asking.network.versionOf(named.peer)).toBeUndefined();
  await asking.network.connect(named.peer);
  await asking.network.connect(unnamed.peer);
  await asking.until(() => asking.network.peers.length === 2);
  expect(asking.network.versionOf(named.peer)).toBe("Vedette 1.2.3");
  expect(asking.network.versionOf(unnamed.peer)).toBeUndefined();
});

test("a header of a peer is read with care", () => {
  expect([...readExtensions("blocks.1,deploys.2")]).toEqual(["blocks.1", "deploys.2"]);
  expect([...readExtensions(undefined)]).toEqual([]);
  expect([...readExtensions("a b,<x>,ok.1")]).toEqual(["ok.1"]);
  expect(readExtensions("x,".repeat(1000)).size).toBeLessThanOrEqual(16);
  expect(readVersion("Vedette 0.9 (a1b2c3)")).toBe("Vedette 0.9 (a1b2c3)");
  for (const header of [undefined, "", " ", "x".repeat(65), "a\u202Eb", "a\nb", ["one", "two"]])
    expect(readVersion(header)).toBeUndefined();
});
