import { blake2b256, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { type Dialect, decodeBlock, f1r3node, hashBlock, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { childrenOf, emptyRoot, f1r3nodeSpace, RadixNode, rnodeSpace, StateStore } from "@vedette/tuplespace";
import { readContent, readFacts } from "../blockMessage.js";
import { readSaid } from "../plainMessages.js";

/** The states that a reader of the stream alone can build; each is read as a whole. */
export class FollowedState {
  readonly states: StateStore;
  readonly heights: number[] = [];
  readonly finals: string[] = [];
  /** Publishers by statement: the block, what is stated of it, and the content that is meant. */
  readonly said = new Map<string, string[]>();
  readonly verdicts = new Map<string, string>();
  /** Blocks that came with what their deploys moved. */
  readonly withOutcome = new Set<string>();
  readonly #dialect: Dialect;
  readonly #form: typeof rnodeSpace;

  constructor(dialect: Dialect = rnode) {
    this.#dialect = dialect;
    this.#form = dialect === f1r3node ? f1r3nodeSpace : rnodeSpace;
    this.states = new StateStore(new MemoryStore(tablesOf("state")), { form: this.#form });
  }

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
    const block = decodeBlock(first!.bytes.slice(), this.#dialect.blockForm);
    if (first!.kind !== "block" || toHex(hashBlock(block, this.#dialect)) !== facts.hash)
      throw new TypeError("no block");
    this.verdicts.set(facts.hash, facts.verdict);
    this.heights.push(facts.number);
    if (facts.outcomeBytes > 0) this.withOutcome.add(facts.hash);
    if (facts.base === null) return;
    if (facts.base !== toHex(emptyRoot) && !this.states.hasRoot(fromHex(facts.base)))
      throw new TypeError(`block #${facts.number} came before its base`);
    const items = (kind: string, hashOf: (value: Uint8Array) => Uint8Array) =>
      others.filter((entry) => entry.kind === kind).map(({ bytes: value }) => ({ key: hashOf(value), value }));
    this.states.putItems(items("node", blake2b256), items("leaf", this.#form.leafHash));
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
