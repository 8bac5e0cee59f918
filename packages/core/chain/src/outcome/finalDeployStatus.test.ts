import { blake2b256, emptyBytes } from "@vedette/crypto";
import { Block, hashKey } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import { ChainError } from "../ChainError.js";
import { unlimitedParents } from "../ChainRules.js";
import { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { LineageFacts, LineageSource } from "../finality/f1r3node/StateLineage.js";
import { f1r3nodeFinalStatus, rnodeFinalStatus } from "./finalDeployStatus.js";
import { undecidedKey } from "./undecidedBlocks.js";

const hashOf = (name: string) => blake2b256(new TextEncoder().encode(name));
const signature = hashOf("deploy");
const deploy = { signature, validAfterBlockNumber: 0n };

interface MadeBlock {
  readonly number: number;
  readonly parents?: readonly string[];
  readonly isFinal?: boolean;
  readonly isInvalid?: boolean;
  /** How the deploy went in it; left out: it does not have the deploy. */
  readonly ran?: "well" | "badly" | "unpaid";
  readonly base?: string;
  /** Whether its merge took the deploy over. */
  readonly takesOver?: boolean;
}

/** Blocks by their names, and one deploy that some of them have. */
class Scene {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly #blocks = new Map<string, { readonly metadata: BlockMetadata; readonly made: MadeBlock }>();
  #last: BlockMetadata | undefined;

  put(name: string, made: MadeBlock): this {
    const { number, parents = [], isFinal = false, isInvalid = false } = made;
    const fields = {
      ...{ hash: hashOf(name), parents: parents.map(hashOf), number: BigInt(number) },
      ...{ sender: emptyBytes, justifications: [], bonds: undefined as never, sequenceNumber: number, timestamp: 0n },
      ...{ preStateHash: emptyBytes, postStateHash: emptyBytes, statement: emptyBytes },
    };
    const flags = { invalid: isInvalid, finalized: isFinal, directlyFinalized: false };
    const metadata = new BlockMetadata(fields, flags);
    this.#blocks.set(metadata.key, { metadata, made });
    return this;
  }

  /** A chain of blocks that are final up to a height, on a block. */
  grow(upTo: number, on: string): this {
    let below = on;
    const { number } = this.#blocks.get(hashKey(hashOf(on)))!.metadata;
    for (let at = Number(number) + 1; at <= upTo; at += 1) {
      this.put(`${on} ${at}`, { number: at, parents: [below], isFinal: true });
      below = `${on} ${at}`;
    }
    this.#last = this.#blocks.get(hashKey(hashOf(below)))!.metadata;
    return this;
  }

  noteUndecided(name: string): this {
    const { number, hash } = this.#blocks.get(hashKey(hashOf(name)))!.metadata;
    this.store.write((tables) => tables("undecidedBlocks").put(undecidedKey(number, hash), emptyBytes));
    return this;
  }

  /** By f1r3node's rule. */
  f1r3node(depth: number | "unconfigured" = 15, asked = deploy) {
    const maximumParentDepth = depth === "unconfigured" ? undefined : depth;
    const sources = { dag: this.#dag, store: this.store, rules: { maximumParents: 100, maximumParentDepth } };
    return f1r3nodeFinalStatus(sources, this.#facts)(asked);
  }

  /** By the rule on rnode networks. */
  reference(maximumParents: number, depth?: number, asked = deploy) {
    const sources = { dag: this.#dag, store: this.store, rules: { maximumParents, maximumParentDepth: depth } };
    return rnodeFinalStatus(sources, { find: (hash) => this.#body(hash) })(asked);
  }

  get #dag(): DagView {
    const find = (hash: Uint8Array) => this.#blocks.get(hashKey(hash))?.metadata;
    const having = [...this.#blocks.values()].filter(({ made }) => made.ran !== undefined);
    const require = (hash: Uint8Array) => {
      const found = find(hash);
      if (found === undefined) throw new ChainError({ code: "blockMissing", hash });
      return found;
    };
    const [first] = [...this.#blocks.values()];
    return {
      ...{ find, require, lastFinalized: () => this.#last, approvedBlock: () => first?.metadata },
      blocksOfDeploy: () => having.map(({ metadata }) => metadata.hash),
    } as Partial<DagView> as DagView;
  }

  readonly #facts: LineageSource = {
    factsOf: (hash): LineageFacts => {
      const { ran, base, takesOver } = this.#blocks.get(hashKey(hash))!.made;
      const isThere = takesOver === true || ran === "well" || ran === "unpaid";
      return {
        mergeBase: base === undefined ? undefined : hashOf(base),
        introduced: new Set(isThere ? [hashKey(signature)] : []),
        included: new Set(ran === undefined ? [] : [hashKey(signature)]),
        rejections: [],
      };
    },
  };

  #body(hash: Uint8Array): Block {
    const { ran } = this.#blocks.get(hashKey(hash))!.made;
    const processed = {
      deploy: { signature } as never,
      ...{ cost: 0n, log: [], failed: ran === "badly", systemDeployError: ran === "unpaid" ? "no funds" : "" },
    };
    return new Block({
      ...{ hash, header: { parents: [], timestamp: 0n, version: 1n, extraBytes: emptyBytes } },
      body: {
        state: { preStateHash: emptyBytes, postStateHash: emptyBytes, bonds: [], blockNumber: 0n },
        ...{ deploys: ran === undefined ? [] : [processed], systemDeploys: [], extraBytes: emptyBytes },
        rejectedDeploys: [],
      },
      ...{ justifications: [], sender: emptyBytes, sequenceNumber: 0, signature: emptyBytes, signatureAlgorithm: "" },
      ...{ shardId: "", extraBytes: emptyBytes },
    });
  }
}

/** Two blocks side by side, of which only the first is on the line of the final state; the second has the deploy. */
function sideBySide(ran: MadeBlock["ran"], merge: Partial<MadeBlock> = {}): Scene {
  return new Scene()
    .put("genesis", { number: 0, isFinal: true })
    .put("main", { number: 1, parents: ["genesis"], isFinal: true })
    .put("aside", { number: 1, parents: ["genesis"], isFinal: true, ran: ran! })
    .put("merge", { number: 2, parents: ["main", "aside"], isFinal: true, base: "main", ...merge });
}

describe("on f1r3node networks a deploy", () => {
  test("is finalized when a block on the line of the final state brought its effect, and not by being in a final block", () => {
    const line = new Scene().put("genesis", { number: 0, isFinal: true });
    line.put("one", { number: 1, parents: ["genesis"], isFinal: true, ran: "well" });
    expect(line.grow(2, "one").f1r3node()).toBe("finalized");
    expect(sideBySide("well").grow(3, "merge").f1r3node()).toBeUndefined();
    expect(sideBySide("well", { takesOver: true }).grow(3, "merge").f1r3node()).toBe("finalized");
  });

  test("that could not be paid is done when that is final", () => {
    const scene = new Scene().put("genesis", { number: 0, isFinal: true });
    scene.put("one", { number: 1, parents: ["genesis"], isFinal: true, ran: "unpaid" });
    expect(scene.grow(2, "one").f1r3node()).toBe("finalized");
  });

  test("is looked for down to the height that it is valid after", () => {
    const scene = new Scene().put("genesis", { number: 0, isFinal: true, ran: "well" });
    scene.grow(5, "genesis");
    expect(scene.f1r3node(15, { signature, validAfterBlockNumber: 0n })).toBe("finalized");
    expect(scene.f1r3node(15, { signature, validAfterBlockNumber: 1n })).toBeUndefined();
  });

  test.each([
    ["well", "expired"],
    ["badly", "failed"],
  ] as const)("that ran %s beside the state waits until no block can bring it, then it has %s", (ran, end) => {
    // Valid after 0, 50 blocks long, and 15 heights that can still be merged.
    expect(sideBySide(ran).grow(65, "merge").f1r3node()).toBeUndefined();
    expect(sideBySide(ran).grow(66, "merge").f1r3node()).toBe(end);
    expect(sideBySide(ran).grow(66, "merge").f1r3node(16)).toBeUndefined();
    for (const unlimited of [unlimitedParents, "unconfigured"] as const)
      expect(sideBySide(ran).grow(199, "merge").f1r3node(unlimited)).toBeUndefined();
  });

  test("waits from the last valid block that has it, also where that lies beside all that is final", () => {
    const scene = () => sideBySide("badly").grow(51, "merge");
    const late = scene().put("late", { number: 60, parents: ["merge 51"], ran: "well" });
    expect(late.grow(75, "merge").f1r3node()).toBeUndefined();
    expect(late.grow(76, "merge").f1r3node()).toBe("failed");
    const invalid = scene().put("late", { number: 60, parents: ["merge 51"], ran: "well", isInvalid: true });
    expect(invalid.grow(66, "merge").f1r3node()).toBe("failed");
  });

  test("has failed only if a final block states it", () => {
    const scene = new Scene().put("genesis", { number: 0, isFinal: true });
    scene.put("lost", { number: 1, parents: ["genesis"], ran: "badly" });
    expect(scene.grow(66, "genesis").f1r3node()).toBe("expired");
  });

  test("that was never in a block expires too", () => {
    const scene = new Scene().put("genesis", { number: 0, isFinal: true });
    expect(scene.grow(65, "genesis").f1r3node()).toBeUndefined();
    expect(scene.grow(66, "genesis").f1r3node()).toBe("expired");
  });

  test("below what the node began with is not decided about", () => {
    const scene = new Scene().put("first", { number: 100, parents: ["unknown"], isFinal: true });
    for (const height of [170, 400]) expect(scene.grow(height, "first").f1r3node()).toBeUndefined();
    expect(scene.reference(10)).toBeUndefined();
    // The latest message of a validator that fell silent: whether it is final is known to others alone.
    scene.put("old", { number: 2, parents: ["older"], ran: "well" });
    expect([scene.f1r3node(), scene.reference(1), scene.reference(10)]).toEqual([undefined, undefined, undefined]);
    const later = { signature, validAfterBlockNumber: 99n };
    expect([scene.f1r3node(15, later), scene.reference(1, undefined, later)]).toEqual(["expired", "expired"]);
  });
});

describe("on rnode networks a deploy", () => {
  const alone = (ran: MadeBlock["ran"]) =>
    new Scene()
      .put("genesis", { number: 0, isFinal: true })
      .put("one", { number: 1, parents: ["genesis"], isFinal: true, ran: ran! });

  test("is finalized with its block; one that failed or could not be paid has failed at once where blocks have one parent", () => {
    expect(alone("well").grow(2, "one").reference(1)).toBe("finalized");
    for (const ran of ["badly", "unpaid"] as const) {
      expect(alone(ran).grow(2, "one").reference(1)).toBe("failed");
      expect(alone(ran).grow(55, "one").reference(10, 5)).toBeUndefined();
      expect(alone(ran).grow(56, "one").reference(10, 5)).toBe("failed");
    }
  });

  test("that only lost blocks have has expired when no other block can have it", () => {
    const scene = () =>
      new Scene().put("genesis", { number: 0, isFinal: true }).put("lost", {
        ...{ number: 1, parents: ["genesis"], ran: "well" },
      });
    expect(scene().grow(50, "genesis").reference(1)).toBeUndefined();
    expect(scene().grow(51, "genesis").reference(1)).toBe("expired");
    // Where nothing is configured a block counts as settled so far below the last final one.
    expect(scene().grow(150, "genesis").reference(10)).toBeUndefined();
    expect(scene().grow(151, "genesis").reference(10)).toBe("expired");
    expect(scene().noteUndecided("lost").grow(151, "genesis").reference(10)).toBeUndefined();
  });
});
