import { readFileSync } from "node:fs";
import { join } from "node:path";
import { takesEffect } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import { readerLimits } from "@vedette/queries/events";
import { chainDirectory, chainsThatAreThere, recordedBlocks, usualChains } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { type ReceivedEvent, ServerSentClient, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

function blocksOf(chain: string): Block[] {
  return recordedBlocks(chain).map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
}

function rulesOf(chain: string) {
  const path = join(chainDirectory(chain), "network.json");
  const network = JSON.parse(readFileSync(path, "utf8")) as {
    readonly maxNumberOfParents: number;
    readonly faultToleranceThreshold: number;
  };
  return { maximumParents: network.maxNumberOfParents, faultToleranceThreshold: network.faultToleranceThreshold };
}

const ofKind = (events: readonly ReceivedEvent[], kind: string) =>
  events.filter((event) => event.kind === kind).map(({ blockHash }) => String(blockHash));

describe("on chains", () => {
  test.each(usualChains("solo", "trio", "merge", "equivocation-v1"))(
    "of %s every block is sent once for each kind",
    async (name) => {
      const limits = { reader: { ...readerLimits, heartbeatMs: 50 } };
      await using node = await EventsNode.start({ rules: rulesOf(name), limits });
      await using live = await WebSocketClient.connect(node.port, "/v2/events");
      await node.take(blocksOf(name));
      const { dag } = node.chain;
      // A heartbeat comes when everything up to its cursor is sent.
      const isReported = ({ kind, cursor }: ReceivedEvent) =>
        kind === "heartbeat" && cursor.split("-")[1] === String(newest(node));
      const isEvent = ({ kind }: ReceivedEvent) => kind !== "heartbeat";
      const events = (await live.until((messages) => messages.some(isReported))).filter(isEvent).slice(1);
      expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(events.length);

      const [begun, added, invalid, finalized, forkedAway] = [
        "chainStarted",
        "blockAdded",
        "blockInvalid",
        "blockFinalized",
        "blockOrphaned",
      ].map((kind) => ofKind(events, kind)) as [string[], string[], string[], string[], string[]];
      const all = blocksOf(name).filter((block) => dag.has(block.hash));
      const hashes = (blocks: readonly Block[]) => blocks.map(({ hash }) => toHex(hash)).sort();
      expect(begun).toEqual([toHex(dag.approvedBlock()!.hash)]);
      expect(added.toSorted()).toEqual(hashes(all.filter(({ hash }) => !dag.require(hash).invalid).slice(1)));
      // A block with most of the stake behind it is valid after all, and an event reports it (40 §17.4).
      const revised = invalid.filter((hash) => added.includes(hash));
      expect(revised).toHaveLength(name === "equivocation-v1" ? 3 : 0);
      for (const hash of revised)
        expect(
          events
            .filter(({ blockHash }) => blockHash === hash)
            .map(({ kind }) => kind)
            .slice(0, 2),
        ).toEqual(["blockInvalid", "blockAdded"]);
      const stillInvalid = invalid.filter((hash) => !revised.includes(hash));
      expect(stillInvalid.toSorted()).toEqual(hashes(all.filter(({ hash }) => dag.require(hash).invalid)));
      expect(finalized.toSorted()).toEqual(hashes(all.slice(1).filter(({ hash }) => dag.require(hash).finalized)));
      expect(new Set(forkedAway).size).toBe(forkedAway.length);
      for (const hash of forkedAway) expect(finalized).not.toContain(hash);
      if (name === "trio") expect(forkedAway.length).toBeGreaterThan(0);

      // Reading the log afterwards returns the same, in the same order, over either transport.
      await using later = await ServerSentClient.connect(node.port, "/v2/events?after=oldest");
      const again = await later.until((messages) => messages.some(isReported));
      expect(again.filter(isEvent).slice(1)).toEqual(events);
    },
  );

  test.each(chainsThatAreThere("solo"))(
    "deploys of %s are sent when they are included and when they are final",
    async (name) => {
      const blocks = blocksOf(name);
      await using node = await EventsNode.start({ rules: rulesOf(name) });
      await node.take(blocks);
      const deploys = blocks.slice(1).flatMap(({ body }) => body.deploys);
      await using all = await WebSocketClient.connect(node.port, "/v2/events?after=oldest&kind=deployIncluded");
      const messages = await all.until(({ length }) => length === deploys.length + 1);
      expect(messages.slice(1).map(({ deployId, cost, errored }) => ({ deployId, cost, errored }))).toEqual(
        deploys.map(({ deploy, cost, failed }) => ({
          deployId: toHex(deploy.signature),
          cost: String(cost),
          errored: failed,
        })),
      );
      const deployer = toHex(deploys[0]!.deploy.deployer);
      const isFinal = ({ hash }: Block) => node.chain.dag.require(hash).finalized;
      const final = blocks.slice(1).filter(isFinal);
      const own = final.flatMap(({ body, form }) =>
        body.deploys.filter((one) => toHex(one.deploy.deployer) === deployer && takesEffect(one, form)),
      );
      expect(own.length).toBeGreaterThan(3);
      const query = `after=oldest&kind=deployFinalized&deployer=${deployer.toUpperCase()}`;
      await using ofOne = await ServerSentClient.connect(node.port, `/v2/events?${query}`);
      const finals = await ofOne.until((messages) => messages.length === own.length + 1);
      expect(finals.slice(1).map(({ deployId }) => deployId)).toEqual(own.map(({ deploy }) => toHex(deploy.signature)));
    },
  );

  test.each(chainsThatAreThere("solo"))("events report the sends of %s on watched names", async (name) => {
    const blocks = blocksOf(name);
    await using node = await EventsNode.start({ rules: rulesOf(name) });
    await node.take(blocks);
    const sends = blocks
      .slice(1)
      .flatMap(({ body }) =>
        body.deploys
          .filter(({ failed }) => !failed)
          .flatMap(({ log }) => log.toReversed().filter((event) => event.kind === "produce")),
      );
    const counts = new Map<string, number>();
    for (const { channelsHash } of sends) counts.set(toHex(channelsHash), (counts.get(toHex(channelsHash)) ?? 0) + 1);
    const [watched, expected] = [...counts].sort(([, a], [, b]) => b - a)[0]!;
    const query = `after=oldest&name=hash:${watched}&name=text:an%20unused%20name`;
    await using client = await WebSocketClient.connect(node.port, `/v2/events?${query}`);
    const messages = await client.until(({ length }) => length === expected + 1);
    expect(messages[0]!["names"]).toHaveLength(2);
    const isWatched = ({ kind, channelHash }: ReceivedEvent) => kind === "dataSent" && channelHash === watched;
    expect(messages.slice(1).filter((event) => !isWatched(event))).toEqual([]);
    expect(new Set(messages.map(({ cursor }) => cursor)).size).toBe(messages.length);
  });
});

function newest(node: EventsNode): number {
  const last = [...node.store.table("eventLog").range({ reverse: true, limit: 1 })][0]!;
  return Number(new DataView(last[0].buffer, last[0].byteOffset).getBigUint64(1));
}
