import type { Block } from "@vedette/protocol";
import { beforeEach, expect, test } from "vitest";
import type { BlockTable } from "../block/BlockTable.js";
import { EquivocationTable } from "../equivocation/EquivocationTable.js";
import { epochSlashing } from "../slashing/f1r3node/epochSlashing.js";
import { type TestBlock, TestDag, validatorKey } from "../testing/TestDag.js";
import type { BlockStatus } from "../validation/BlockStatus.js";
import { f1r3nodeRevisions } from "./RevisionRules.js";
import { VerdictRevalidator } from "./VerdictRevalidator.js";

let made: TestDag;
let reviser: VerdictRevalidator;
/** Blocks that were made valid. */
let revised: Block[];
/** The results of judging blocks anew that are not valid. */
let statuses: Map<Block, BlockStatus>;

beforeEach(() => {
  made = new TestDag({ v1: 10, v2: 10, v3: 10 });
  revised = [];
  statuses = new Map();
  const { dag, store } = made;
  reviser = new VerdictRevalidator({
    dag,
    blocks: { find: (hash: Uint8Array) => made.blockOf(hash) } as unknown as BlockTable,
    equivocations: new EquivocationTable(store),
    rules: f1r3nodeRevisions(epochSlashing(100n)),
    isObstacle: (hash) => dag.isInvalid(hash),
    revalidate: async (block) => ({ status: statuses.get(block) ?? { status: "Valid" }, detected: [] }),
    revise({ block, verdict }) {
      dag.revise(block.hash, verdict);
      revised.push(block);
    },
  });
});

/** Adds a block that was found invalid when it came. */
function addInvalid(reason: string, facts: TestBlock): Block {
  const block = made.make(facts);
  made.dag.insert(block, { invalid: true, approved: false, reason });
  return block;
}

/** v1 slashes v2, without right to this node; v3 names that block, and nothing of v1 from before it. */
function accusation(facts: Partial<TestBlock> = {}) {
  const { genesis } = made;
  const all = { v1: genesis, v2: genesis, v3: genesis };
  const slash = addInvalid("UnauthorizedSlashDeploy", { creator: "v1", parents: [genesis], justifications: all });
  const naming = { creator: "v3", parents: [genesis], justifications: { ...all, v1: slash }, ...facts };
  return { all, slash, naming };
}

test("who slashes the maker of a block does not stand behind it, though its own bonds have the stake", async () => {
  const { slash, naming } = accusation();
  const issuerPublicKey = validatorKey("v3");
  const systemDeploys = [
    { kind: "slash", invalidBlockHash: slash.hash, issuerPublicKey, initialRandom: new Uint8Array(0) },
  ] as const;
  made.add({ ...naming, systemDeploys });
  await reviser.look();
  expect(revised).toEqual([]);
  made.add({ ...naming, creator: "v2" });
  await reviser.look();
  expect(revised).toEqual([slash]);
});

test("a block that the machine failed to judge is judged again when there is an occasion, with as much stake", async () => {
  const { slash, naming } = accusation();
  made.add(naming);
  statuses.set(slash, { status: "BlockException", message: "no peer has the state", isOfMachine: true });
  await reviser.look();
  expect(revised).toEqual([]);
  statuses.clear();
  await reviser.look();
  expect(revised).toEqual([slash]);
});

test("a verdict stays as long as that on a block below stays", async () => {
  const { all, slash } = accusation();
  const justifications = { ...all, v1: slash };
  const above = addInvalid("NeglectedInvalidBlock", { creator: "v3", parents: [slash], justifications });
  made.add({ creator: "v2", parents: [above], justifications: { ...justifications, v3: above } });
  statuses.set(slash, { status: "InvalidTransaction", problem: "replay", message: "other cost" });
  await reviser.look();
  expect(revised).toEqual([]);
  expect(made.dag.isInvalid(above.hash)).toBe(true);
});
