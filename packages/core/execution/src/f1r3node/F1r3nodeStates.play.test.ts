import { signDeploy } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { beforeAll, describe, expect, test } from "vitest";
import { testKey, testParameters } from "../contractTest/genesisState.js";
import { f1r3nodeGenesis } from "../genesis/f1r3nodeGenesis.js";
import { genesisDeploys } from "../genesis/genesisDeploys.js";
import { findNumberEntry } from "../merge/f1r3node/numberEntryStore.js";
import { F1r3nodeStates } from "./F1r3nodeStates.js";

let node: { readonly store: MemoryStore; readonly states: F1r3nodeStates; readonly root: Uint8Array };

beforeAll(() => {
  const store = new MemoryStore(tablesOf("state"));
  const states = new F1r3nodeStates(store, new StateStore(store, { form: f1r3nodeSpace }));
  const nativeToken = { name: "Token", symbol: "T", decimals: 8 };
  const parameters = { ...testParameters(), nativeToken, faultToleranceThresholdPpm: 0 };
  const deploys = genesisDeploys(parameters, f1r3nodeGenesis);
  const { postState } = states.playGenesis({ timestamp: 1_700_000_000_000n, blockNumber: 0n, deploys });
  node = { store, states, root: postState };
});

let signed = 0n;
const sender = testKey("v1").publicKey;

/** Plays a block of these programs on a state. @param stepMs by which a clock goes on with every look */
function play(terms: readonly string[], preState = node.root, stepMs = 0) {
  const deploys = terms.map((term) => {
    signed += 1n;
    const unsigned = { term, timestamp: signed, phloPrice: 1n, phloLimit: 10_000_000n, validAfterBlockNumber: 0n };
    return signDeploy({ ...unsigned, shardId: "root" }, testKey("u1"));
  });
  const blockData = { timestamp: 1n, blockNumber: 1n, sender, sequenceNumber: 1 };
  const systemDeploys = [{ kind: "closeBlock" }] as const;
  let nowMs = 0;
  const limits = { nowMs: () => (nowMs += stepMs) };
  const tries = deploys.map((_, index) => ({ ...eachTime, index }));
  const played = node.states.play({ preState, blockData, invalidBlocks: [], deploys, systemDeploys, tries, limits });
  return {
    inBlock: played.deploys.map(({ deploy, failed }) => `${failed ? "failed " : ""}${deploy.term}`),
    leftOut: played.leftOut.map(({ index, reason }) => `${index}: ${reason}`),
    root: played.postState,
    entry: findNumberEntry(node.store, { postState: played.postState, sender, sequenceNumber: 1 }),
  };
}

const eachTime = { maximumMs: 100, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };
const undetermined = "its outcome is not determined: a set or map has elements that differ, but rank alike";

describe("a block of the newer node", () => {
  test("has no deploy of which its reference finds another state each time", () => {
    const good = '@"a"!(Set({"a": 1}, {"b": 2}))';
    expect(play(['@"a"!(Set({"a": 1}, {"a": 2}))', good, '@"b"!({{"a": 1}: 1, {"a": 2}: 1})'])).toMatchObject({
      inBlock: [good],
      leftOut: [`0: ${undetermined}`, `2: ${undetermined}`],
    });
    const late = 'for (@x <- @"a") { @"c"!(x.add({"a": 2})) } | @"a"!(Set({"a": 1}))';
    expect(play([late]).leftOut).toEqual([`0: ${undetermined}`]);
  });

  test("has no deploy on which its reference ends, and the others", () => {
    const wide = Array.from({ length: 129 }, (_, at) => `@${at}!(0)`).join(" | ");
    const { inBlock, leftOut } = play([wide, '@"x"!("é".slice(0, 1))', "@1!(1 / 0)", "@2!(2)"]);
    expect(inBlock).toEqual(["failed @1!(1 / 0)", "@2!(2)"]);
    expect(leftOut).toHaveLength(2);
  });

  test("has no deploy that takes more time than it has, whatever takes it", () => {
    const endless = "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }";
    const items = Array.from({ length: 30 }, (_, at) => `@${at}!(Nil)`).join("|");
    const matching = `match { ${items} } { { ~{_ | 1} | ~{_ | 2} | {~{_ | 3} /\\ {@99!(_)}} } => Nil }`;
    const compiling = `@9!(Set(${Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 100_003).join(",")}))`;
    for (const term of [endless, matching, compiling])
      expect(play([term, "@4!(4)"], node.root, 20)).toMatchObject({
        inBlock: ["@4!(4)"],
        leftOut: [expect.stringMatching(/^0: time limit of 100 ms for one deploy: stopped after 1\d\d ms$/)],
      });
  });

  test("keeps the bits that deploys set in a channel of bits, and none if the channel had another value before", () => {
    const on = (body: string) => `new tag(\`rho:system:bitmaskMergeableTag\`) in { ${body} }`;
    const first = play([on('@(*tag, "n")!(5) | @(*tag, "t")!("text")')]);
    expect(first.leftOut).toEqual([]);
    const setMore = on('for (@bits <- @(*tag, "n")) { @(*tag, "n")!(bits + 8) }');
    const replaced = on('for (_ <- @(*tag, "t")) { @(*tag, "t")!(1) }');
    const second = play([replaced, setMore, "@3!(3)"], first.root);
    expect(second.inBlock).toEqual([setMore, "@3!(3)"]);
    expect(second.leftOut).toEqual([expect.stringContaining("does not hold a single integer")]);
    const ofBits = second.entry!.flatMap((changes) => [...changes.values()].filter(({ kind }) => kind === "or"));
    expect(ofBits).toEqual([{ kind: "or", difference: 8n }]);
  });
});
