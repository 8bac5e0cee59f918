import { toHex } from "@vedette/crypto";
import { Block, decodeBlock, type Event, encodeBlock, f1r3node } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { lengthPrefixed, readChainFile } from "@vedette/testing";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { expect } from "vitest";
import { F1r3nodeStates } from "../f1r3node/F1r3nodeStates.js";
import { findNumberEntry } from "../merge/f1r3node/numberEntryStore.js";
import { mergeableIdOf } from "../merge/mergeableStore.js";
import type { PlayedState } from "../play/playState.js";
import { blockDataOf } from "../runtime/Runtime.js";
import type { BlockSystemDeploy } from "../systemDeploy/blockSystemDeploy.js";

/** How the play of a chain compares with its recording. */
export interface PlayedChain {
  readonly blocks: number;
  readonly deploys: number;
  /** Blocks in which the recording node ran programs in another legal order, so that other data met. */
  readonly otherOrders: readonly string[];
}

/**
 * Plays the deploys of a recorded chain of f1r3node again, block by block, and expects the recorded costs, verdicts
 * and states; that the block made of them replays, and with the same changes of number channels.
 *
 * @param most blocks after genesis
 */
export function playF1r3nodeChain(chain: string, most = Number.POSITIVE_INFINITY): PlayedChain {
  const node = new Node();
  const messages = lengthPrefixed(readChainFile(chain, "blocks.bin"));
  const otherOrders: string[] = [];
  let [blocks, deploys] = [0, 0];
  for (const message of messages) {
    const block = decodeBlock(message, f1r3node.blockForm);
    if (block.parents.length === 0) {
      node.replay(block);
      continue;
    }
    if (blocks >= most) break;
    const played = node.play(block);
    const made = withPlayed(block, played);
    const entry = node.entryOf(made);
    expect(entry).toBeDefined();
    node.replay(made);
    expect(node.entryOf(made)).toEqual(entry);
    if (!checkSame(block, played)) {
      otherOrders.push(`#${block.number} ${toHex(block.hash).slice(0, 8)}`);
      node.replay(block);
    }
    blocks += 1;
    deploys += block.body.deploys.length;
  }
  return { blocks, deploys, otherOrders };
}

/** The states of one node. */
class Node {
  private readonly store = new MemoryStore(tablesOf("state"));
  private readonly states = new F1r3nodeStates(this.store, new StateStore(this.store, { form: f1r3nodeSpace }));

  constructor() {
    this.states.makeEmpty();
  }

  replay(block: Block): void {
    const { preStateHash: preState, postStateHash } = block.body.state;
    const replayed = this.states.replay({ block, preState, invalidBlocks: [] });
    if ("failure" in replayed) expect.fail(`#${block.number}: ${JSON.stringify(replayed.failure)}`);
    expect(toHex(replayed.postState), `#${block.number}`).toBe(toHex(postStateHash));
  }

  play(block: Block): PlayedState {
    return this.states.play({
      preState: block.body.state.preStateHash,
      blockData: blockDataOf(block),
      invalidBlocks: [],
      deploys: block.body.deploys.map(({ deploy }) => deploy),
      systemDeploys: block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy as BlockSystemDeploy),
    });
  }

  entryOf(block: Block) {
    return findNumberEntry(this.store, mergeableIdOf(block));
  }
}

/** A block as it came over the wire, with what was played in the place of what is recorded. */
function withPlayed(block: Block, { deploys, systemDeploys, postState }: PlayedState): Block {
  const state = { ...block.body.state, postStateHash: postState };
  const made = new Block({ ...block, body: { ...block.body, state, deploys, systemDeploys } });
  return decodeBlock(encodeBlock(made), f1r3node.blockForm);
}

/** @returns whether the same met the same as in the recording, where all must be the same */
function checkSame(block: Block, played: PlayedState): boolean {
  const { deploys, systemDeploys, state } = block.body;
  const name = `#${block.number}`;
  expect(played.leftOut, name).toEqual([]);
  const verdictOf = ({ failed, systemDeployError }: (typeof deploys)[number]) => ({ failed, systemDeployError });
  expect(played.deploys.map(verdictOf), name).toEqual(deploys.map(verdictOf));
  expect(played.systemDeploys.map(({ error }) => error)).toEqual(systemDeploys.map(({ error }) => error));
  const ours = [...played.deploys, ...played.systemDeploys].map(({ log }) => log);
  const recorded = [...deploys, ...systemDeploys].map(({ log }) => log);
  // The interactions of a failed program left nothing behind.
  const isSame = ours.every(
    (log, index) => deploys[index]?.failed === true || meetings(log) === meetings(recorded[index]!),
  );
  if (isSame) {
    expect(
      played.deploys.map(({ cost }) => cost),
      name,
    ).toEqual(deploys.map(({ cost }) => cost));
    expect(toHex(played.postState), name).toBe(toHex(state.postStateHash));
  }
  return isSame;
}

/** Which data met which continuations. */
function meetings(log: readonly Event[]): string {
  return namesOf(log)
    .filter((name) => name.startsWith("comm"))
    .sort()
    .join(";");
}

function namesOf(log: readonly Event[]): string[] {
  return log.map((event) =>
    event.kind === "comm"
      ? `comm ${[event.consume, ...event.produces].map(({ hash }) => toHex(hash)).join(" ")}`
      : `${event.kind} ${toHex(event.hash)}`,
  );
}
