import { toHex } from "@vedette/crypto";
import { type MemoryStore, tablesOf } from "@vedette/store";
import { expect } from "vitest";
import { type BlockContent, type BlockMessageFacts, makeMessage, readContent, readFacts } from "../blockMessage.js";
import type { LoggedChain } from "./LoggedChain.js";
import { MemoryPort } from "./MemoryPort.js";
import type { ReplicaWorld } from "./ReplicaWorld.js";

export function copyOf(port: MemoryPort): MemoryPort {
  const copy = new MemoryPort();
  copy.id = port.id;
  for (const [subject, bytes] of port.messages) copy.messages.set(subject, bytes);
  return copy;
}

/** The content of the chain's store, without the log's id and the replica's position. */
function contentOf(store: MemoryStore): string[] {
  return tablesOf("chain").flatMap((name) =>
    name === "followed"
      ? []
      : [...store.table(name).range()].map(([key, value]) => {
          const kept = name === "eventLog" && key[0] === 0 ? value.subarray(8) : value;
          return `${name} ${toHex(key)} ${toHex(kept)}`;
        }),
  );
}

/** Returns the part of it that replicas have, too. */
function publishedContentOf({ chain }: LoggedChain): string {
  const isOwn = (line: string) => /^(deployPool|ownProposals|refusedDeploys|equivocations) /.test(line);
  return contentOf(chain)
    .filter((line) => !isOwn(line))
    .join("\n");
}

/** The same chain, event by event and table by table, each state whole. */
export function expectSame(world: ReplicaWorld, chain: LoggedChain): void {
  expect(contentOf(world.chainStore).join("\n")).toBe(publishedContentOf(chain));
  for (let entry = 1; entry <= chain.log.newest(); entry += 1) {
    const root = chain.blocks.read(chain.log.read(entry)!.hash)!.body.state.postStateHash;
    expect(world.states.hasRoot(root)).toBe(true);
  }
}

/** The block message of a height, its facts and content changed. */
export async function forge(
  port: MemoryPort,
  height: number,
  change: (
    facts: BlockMessageFacts,
    content: BlockContent,
  ) => Promise<[Partial<BlockMessageFacts>, Partial<BlockContent>]>,
): Promise<void> {
  for (const [subject, bytes] of port.messages) {
    if (!subject.includes(".block.")) continue;
    const { facts, body } = readFacts(subject, bytes);
    if (facts.number !== height) continue;
    const content = await readContent(subject, facts, body);
    const [otherFacts, otherContent] = await change(facts, content);
    const { format: _format, content: _content, outcomeBytes, bytes: _bytes, parts: _parts, ...plain } = facts;
    expect(outcomeBytes).toBe(content.outcome.length);
    const forged = await makeMessage({ ...plain, ...otherFacts }, { ...content, ...otherContent }, 1 << 20);
    port.messages.set(subject, forged.bytes);
  }
}
