import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { ReplayAnswer, ReplayCall } from "../executor/RnodeExecutor.js";
import { SpeculativeReplay } from "./SpeculativeReplay.js";

const state = (number: number): Uint8Array => new Uint8Array(32).fill(number);

/** A block that goes from state `number` to the next one; nothing else of it is looked at. */
function blockAt(number: number): Block {
  return { cachedEncoding: state(number), body: { state: { preStateHash: state(number) } } } as unknown as Block;
}

function callOf(block: Block, invalidBlocks: ReplayCall["invalidBlocks"] = []): ReplayCall {
  return { block: block.cachedEncoding!, preState: block.body.state.preStateHash, invalidBlocks };
}

/** Executes what goes on from a state that is there, and notes each call. */
function recordingExecutor() {
  const calls: number[] = [];
  const states = new Set([1]);
  const replay = async ({ preState }: ReplayCall): Promise<ReplayAnswer> => {
    const number = preState[0]!;
    calls.push(number);
    if (!states.has(number)) throw new Error(`unknown state ${number}`);
    states.add(number + 1);
    return { kind: "replayed", postStateHash: state(number + 1), bonds: [] };
  };
  return { calls, states, executor: { replay, hasRoot: async () => true } as unknown as ExecutorClient };
}

describe("executing ahead", () => {
  test("begins with a child right after its parent, and requests it once", async () => {
    const { calls, executor } = recordingExecutor();
    const ahead = new SpeculativeReplay(executor);
    const [first, second, third] = [blockAt(1), blockAt(2), blockAt(3)] as const;
    ahead.announce(second, first);
    const answer = ahead.executor.replay(callOf(first));
    expect(calls).toEqual([1, 2]);
    expect(await answer).toMatchObject({ postStateHash: state(2) });
    ahead.announce(third, second);
    expect(calls).toEqual([1, 2, 3]);
    expect(await ahead.executor.replay(callOf(second))).toMatchObject({ postStateHash: state(3) });
    expect(await ahead.executor.replay(callOf(third))).toMatchObject({ postStateHash: state(4) });
    expect(calls).toEqual([1, 2, 3]);
    expect(await ahead.executor.hasRoot(state(1))).toBe(true);
  });

  test("is in vain where the call that comes is another one", async () => {
    const { calls, executor } = recordingExecutor();
    const ahead = new SpeculativeReplay(executor);
    const [first, second] = [blockAt(1), blockAt(2)] as const;
    ahead.announce(second, first);
    await ahead.executor.replay(callOf(first));
    await ahead.executor.replay(callOf(second, [{ blockHash: state(9), sender: state(8) }]));
    await ahead.executor.replay({ ...callOf(second), preState: state(1) });
    expect(calls).toEqual([1, 2, 2, 1]);
  });

  test("hides no failure: a replay that began too early is requested again", async () => {
    const { calls, states, executor } = recordingExecutor();
    const ahead = new SpeculativeReplay(executor);
    const [first, third] = [blockAt(1), blockAt(3)] as const;
    ahead.announce(third, first);
    await ahead.executor.replay(callOf(first));
    await expect(ahead.executor.replay(callOf(third))).rejects.toThrow("unknown state 3");
    states.add(3);
    expect(await ahead.executor.replay(callOf(third))).toMatchObject({ postStateHash: state(4) });
    expect(calls).toEqual([1, 3, 3, 3]);
  });
});
