import { toHex } from "@vedette/crypto";
import { Block, decodeBlock, type Event, encodeBlock, hashKey, rnode } from "@vedette/protocol";
import { ownChain, usualChains } from "@vedette/testing";
import { expect, test } from "vitest";
import { replayBlock } from "../replay/replayBlock.js";
import { blockDataOf } from "../runtime/Runtime.js";
import type { BlockSystemDeploy } from "../systemDeploy/blockSystemDeploy.js";
import { type RecordedMoment, recordedReplay } from "../testing/recordedReplay.js";
import { type PlayedBlock, playBlock, playGenesis } from "./playBlock.js";

/**
 * Blocks in which the recording node ran programs in another legal order: of several data that fit it drew another one,
 * or of two calls that wait for one lock the other came first (transfers lock both vaults at once). Genesis is always
 * one of them; its costs differ from one recorded chain to the next.
 */
const otherOrders: Readonly<Record<string, { readonly blocks: number; readonly others: readonly string[] }>> = {
  [ownChain]: { blocks: 13, others: [] },
  solo: { blocks: 49, others: ["#0 db330672", "#6 a2ca2b17", "#32 4f1853c7"] },
  trio: {
    blocks: 14,
    others: ["#0 a1dc7ae3", "#3 66db117b", "#4 bc5bb894", "#5 5793f688", "#5 d8b86326", "#6 e67d2720"],
  },
  merge: { blocks: 15, others: ["#0 a5b9e6d2", "#4 91fd5086", "#8 e1d2e1f8"] },
  "equivocation-v1": { blocks: 15, others: ["#0 47ff27df"] },
  "equivocation-v3b": { blocks: 12, others: ["#0 47ff27df", "#1 9a51a4f7"] },
};

for (const chain of usualChains(...Object.keys(otherOrders).filter((name) => name !== ownChain))) {
  test(`blocks of ${chain} that are played again lead to the recorded state`, () => {
    const others: string[] = [];
    let blocks = 0;
    for (const moment of recordedReplay(chain)) {
      const played = play(moment);
      if (!checkSame(moment, played)) others.push(moment.name);
      checkOwnReplay(moment, played);
      blocks += 1;
    }
    expect({ blocks, others }).toEqual(otherOrders[chain]);
  });
}

function play({ states, block, replay }: RecordedMoment): PlayedBlock {
  const deploys = block.body.deploys.map(({ deploy }) => deploy);
  const { preState, invalidBlocks } = replay;
  const blockData = blockDataOf(block);
  if (block.parents.length === 0) {
    const { timestamp, blockNumber } = blockData;
    return playGenesis(states, { preState, timestamp, blockNumber, deploys });
  }
  const systemDeploys = block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy as BlockSystemDeploy);
  return playBlock(states, { preState, blockData, invalidBlocks, deploys, systemDeploys });
}

/**
 * Where the same data met the same continuations as in the recording, everything must be the same.
 *
 * @returns whether the state is
 */
function checkSame({ block, name }: RecordedMoment, played: PlayedBlock): boolean {
  const { deploys, systemDeploys, state } = block.body;
  let isSame = true;
  expect(played.deploys).toHaveLength(deploys.length);
  deploys.forEach((recorded, index) => {
    const own = played.deploys[index]!;
    const text = `${name} deploy ${index}`;
    expect(own.failed, text).toBe(recorded.failed);
    expect(own.systemDeployError, text).toBe(recorded.systemDeployError);
    // A failed program may have stopped elsewhere; its meetings left nothing behind.
    const isSameDeploy = recorded.failed || meetings(own.log) === meetings(recorded.log);
    if (isSameDeploy) expect(own.cost, text).toBe(recorded.cost);
    isSame &&= isSameDeploy;
  });
  systemDeploys.forEach((recorded, index) => {
    const own = played.systemDeploys[index]!;
    expect(own.systemDeploy).toEqual(recorded.systemDeploy);
    expect(own.error).toBe("");
    isSame &&= meetings(own.log) === meetings(recorded.log);
  });
  const isSameState = toHex(played.postState) === toHex(state.postStateHash);
  if (isSame) expect(isSameState, name).toBe(true);
  return isSameState;
}

/** Which data met which continuations. */
function meetings(log: readonly Event[]): string {
  const names = log.map((event) =>
    event.kind === "comm" ? [event.consume, ...event.produces].map(({ hash }) => hashKey(hash)).join() : "",
  );
  return names
    .filter((text) => text !== "")
    .sort()
    .join(";");
}

/** A block that we played is one that we accept, also after it went over the wire. */
function checkOwnReplay({ states, block, replay, name }: RecordedMoment, played: PlayedBlock): void {
  const { postState, deploys, systemDeploys } = played;
  const state = { ...block.body.state, postStateHash: postState };
  const { hash, header, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId, extraBytes } =
    block;
  const body = { ...block.body, state, deploys, systemDeploys };
  const own = new Block({
    ...{ hash, header, body, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId },
    extraBytes,
  });
  const result = replayBlock(states, { ...replay, block: decodeBlock(encodeBlock(own), rnode.blockForm) });
  if ("failure" in result) expect.fail(`${name}: ${JSON.stringify(result.failure)}`);
  expect(toHex(result.postState), name).toBe(toHex(postState));
  expect(result.numberChannels, name).toEqual(played.numberChannels);
}
