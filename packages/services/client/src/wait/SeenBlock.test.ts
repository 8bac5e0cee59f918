import { expect, test } from "vitest";
import { buildDeploy } from "../deploy/buildDeploy.js";
import { deployKeyOf } from "../deploy/deployKey.js";
import { HttpClient } from "../http/HttpClient.js";
import { FakeHttpNode } from "../testing/fakes/FakeHttpNode.js";
import { SeenBlock } from "./SeenBlock.js";

test("a height is held from a write on, only upwards, for a minute after it rose", () => {
  let nowMs = 0;
  const seen = new SeenBlock(() => nowMs);
  seen.answered("7");
  expect(seen.least()).toBeUndefined();
  seen.begin();
  expect(seen.least()).toBe(0);
  seen.answered('9;hash="ab";finalized=8');
  seen.answered("3");
  for (const odd of [null, "", "x", "-1", "1e9", "9".repeat(20)]) seen.answered(odd);
  expect(seen.least()).toBe(9);
  nowMs = 59_999;
  expect(seen.least()).toBe(9);
  seen.answered("9");
  nowMs = 60_000;
  expect(seen.least()).toBeUndefined();
  seen.begin();
  seen.answered("4");
  expect(seen.least()).toBe(4);
  seen.forget();
  expect(seen.least()).toBeUndefined();
});

test("a client that has sent a deploy reads from no node that is behind the highest block it saw, and tries another one", async () => {
  const heights = { ahead: 12, behind: 4 };
  const asked: string[] = [];
  const node = (name: keyof typeof heights) =>
    FakeHttpNode.start(({ path, headers }) => {
      const least = headers["vedette-min-block"];
      asked.push(`${name} ${path} ${least ?? "any"}`);
      const answerHeaders = { "vedette-block": `${heights[name]};hash="ab"` };
      if (Number(least ?? 0) > heights[name]) return { status: 503, text: '"behind"', headers: answerHeaders };
      const text = path === "/api/deploy" ? '"Success! DeployId is: 3045ab"' : "1.0";
      return { text, headers: answerHeaders };
    });
  await using ahead = await node("ahead");
  await using behind = await node("behind");
  const client = new HttpClient({ url: [ahead.url, behind.url], retryPauseMs: 1 });
  await client.version();
  const key = deployKeyOf(new Uint8Array(32).fill(1));
  const fields = {
    term: "Nil",
    timestamp: 1n,
    shardId: "root",
    validAfterBlockNumber: 0n,
    phloLimit: 1n,
    phloPrice: 1n,
  };
  await client.deploy(buildDeploy(fields, key));
  client.connection.preferNext();
  await client.version();
  expect(asked).toEqual(["ahead /version any", "ahead /api/deploy any", "behind /version 12", "ahead /version 12"]);
});
