import { blake2b256, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { decodeBlock, hashBlock, rnodeScala } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { childrenOf, emptyRoot, RadixNode, StateStore } from "@vedette/tuplespace";
import { readContent, readFacts } from "../blockMessage.js";
import { readSaid } from "../plainMessages.js";

/** What somebody has who knows a stream alone: each state is looked through as a whole. */
export class FollowedState {
  readonly states = new StateStore(new MemoryStore(tablesOf("state")));
  readonly heights: number[] = [];
  readonly finals: string[] = [];
  /** By block, what is said of it, and the content that is meant: who says so. */
  readonly said = new Map<string, string[]>();
  readonly verdicts = new Map<string, string>();

  /** @param parts in order, of a message that was too long @throws TypeError where anything is wrong or missing */
  async take(
    subject: string,
    bytes: Uint8Array,
    parts: (content: string, number: number) => Uint8Array,
  ): Promise<void> {
    if (/\.(part|alarm|life)\./.test(subject)) return;
    const said = /\.said\.([0-9a-f]+)\.(\w+)\.([^.]+)$/.exec(subject);
    if (said !== null) {
      const [, hash, what, by] = said;
      const sayers = `${hash} ${what} ${readSaid(subject, bytes).content}`;
      this.said.set(sayers, [...(this.said.get(sayers) ?? []), by!]);
      return;
    }
    if (subject.includes(".final.")) {
      this.finals.push(subject.split(".").at(-1)!);
      return;
    }
    const { facts, body } = readFacts(subject, bytes);
    const stored =
      facts.parts === 0
        ? body
        : Buffer.concat(Array.from({ length: facts.parts }, (_, at) => parts(facts.content, at)));
    const { entries } = await readContent(subject, facts, new Uint8Array(stored));
    const [first, ...others] = entries;
    const block = decodeBlock(first!.bytes.slice());
    if (first!.kind !== "block" || toHex(hashBlock(block, rnodeScala)) !== facts.hash) throw new TypeError("no block");
    this.verdicts.set(facts.hash, facts.verdict);
    this.heights.push(facts.number);
    if (facts.base === null) return;
    if (facts.base !== toHex(emptyRoot) && !this.states.hasRoot(fromHex(facts.base)))
      throw new TypeError(`block #${facts.number} came before its base`);
    const items = (kind: string) =>
      others.filter((entry) => entry.kind === kind).map(({ bytes: value }) => ({ key: blake2b256(value), value }));
    this.states.putItems(items("node"), items("leaf"));
    const root = block.body.state.postStateHash;
    if (toHex(root) !== facts.postStateHash) throw new TypeError("its root is another one");
    this.#requireWhole(root);
    this.states.recordRoot(root);
  }

  #requireWhole(root: Uint8Array): void {
    const pending = equalBytes(root, emptyRoot) ? [] : [root];
    for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
      const bytes = this.states.nodeBytes(hash);
      if (bytes === undefined) throw new TypeError(`node ${toHex(hash)} is not there`);
      const { nodes, leaves } = childrenOf(new RadixNode(bytes));
      pending.push(...nodes);
      for (const leaf of leaves)
        if (!this.states.hasLeaf(leaf)) throw new TypeError(`leaf ${toHex(leaf)} is not there`);
    }
  }
}
