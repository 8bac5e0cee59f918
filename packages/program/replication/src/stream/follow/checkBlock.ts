import { type Chain, checkFormat, checkSignature } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, decodeBlock, findDialect, hashBlock, rnode } from "@vedette/protocol";
import { type BlockContent, type BlockFacts, statedNumber, statedState } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";

/** A block that is what its message says, and its creator's: nothing of it was written. */
export interface CheckedBlock {
  readonly facts: BlockFacts;
  readonly block: Block;
  readonly content: BlockContent;
}

/**
 * The block itself: what it is called, of this network, its creator's.
 *
 * @throws {StreamError} `refused`, `otherNetwork`, `otherDialect`
 */
export function checkBlock(
  chain: Pick<Chain, "rules" | "checkReferences">,
  facts: BlockFacts,
  content: BlockContent,
): CheckedBlock {
  const { rules } = chain;
  const { dialect = rnode.name } = facts;
  if (findDialect(dialect)?.name !== rules.dialect.name)
    throw new StreamError({ code: "otherDialect", found: dialect, expected: rules.dialect.name });
  const [first, ...others] = content.entries;
  if (first?.kind !== "block") throw refused(facts, "its message does not begin with a block");
  if (others.some(({ kind }) => kind === "block")) throw refused(facts, "its message has several blocks");
  if (others.some(({ kind }) => kind === "floors")) throw refused(facts, "its message has floors, which are derived");
  let block: Block;
  try {
    block = decodeBlock(first.bytes.slice(), rules.dialect.blockForm);
  } catch (error) {
    throw refused(facts, `it cannot be read (${errorText(error)})`, error);
  }
  const checked = { facts, block, content };
  if (block.shardId !== rules.shardName)
    throw new StreamError({ code: "otherNetwork", found: block.shardId.slice(0, 64), expected: rules.shardName });
  if (toHex(block.hash) !== facts.hash) throw refused(facts, "the message has another block");
  if (statedNumber(block.number) !== facts.number) throw refused(facts, `it has the number ${block.number}`);
  if (statedState(block.body.state.postStateHash) !== facts.postStateHash) throw refused(facts, "it has another state");
  // That the content is another one is what may be wrong with it.
  const isOtherContent = !equalBytes(hashBlock(block, rules.dialect), block.hash);
  if (isOtherContent && facts.reason !== "InvalidBlockHash") throw refused(facts, "its content has another hash");
  // Genesis is what all agreed on, and nobody's.
  if (block.number === 0n && facts.verdict === "valid") return checked;
  const wrong = checkFormat(block) ?? checkSignature(block, rules.dialect);
  if (wrong !== undefined) throw refused(facts, wrong);
  if (facts.verdict === "valid") {
    const references = chain.checkReferences(block);
    if (references !== undefined) throw refused(facts, references);
  }
  return checked;
}

/** What a publisher says cannot be so. */
export function refused(
  { hash, number, publisher }: Pick<BlockFacts, "hash" | "number" | "publisher">,
  reason: string,
  cause?: unknown,
): StreamError {
  return new StreamError({ code: "refused", hash, number, by: publisher, reason }, { cause });
}
