import { type Chain, checkFormat, checkSignature } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, decodeBlock, findDialect, hashBlock, unmarkedDialect } from "@vedette/protocol";
import { type BlockContent, type BlockMessageFacts, statedNumber, statedState } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";

/** A block that matches its message, and is its creator's: nothing of it was written. */
export interface CheckedBlock {
  readonly facts: BlockMessageFacts;
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
  facts: BlockMessageFacts,
  content: BlockContent,
): CheckedBlock {
  const { rules } = chain;
  const { dialect = unmarkedDialect } = facts;
  if (findDialect(dialect)?.name !== rules.dialect.name)
    throw new StreamError({ code: "otherDialect", found: dialect, expected: rules.dialect.name });
  const block = readOnlyBlock(facts, content, rules.dialect);
  if (block.shardId !== rules.shardName)
    throw new StreamError({ code: "otherNetwork", found: block.shardId.slice(0, 64), expected: rules.shardName });
  const wrong = checkFacts(block, facts, rules.dialect) ?? checkCreator(block, facts, chain);
  if (wrong !== undefined) throw refused(facts, wrong);
  return { facts, block, content };
}

/** The block that a message begins with; it has no other one. */
function readOnlyBlock(
  facts: BlockMessageFacts,
  { entries: [first, ...others] }: BlockContent,
  dialect: Dialect,
): Block {
  if (first?.kind !== "block") throw refused(facts, "its message does not begin with a block");
  if (others.some(({ kind }) => kind === "block")) throw refused(facts, "its message has several blocks");
  if (others.some(({ kind }) => kind === "floors")) throw refused(facts, "its message has floors, which are derived");
  try {
    return decodeBlock(first.bytes.slice(), dialect.blockForm);
  } catch (error) {
    throw refused(facts, `it cannot be read (${errorText(error)})`, error);
  }
}

/** @returns the difference between the block and its message */
function checkFacts(block: Block, facts: BlockMessageFacts, dialect: Dialect): string | undefined {
  if (toHex(block.hash) !== facts.hash) return "the message has another block";
  if (statedNumber(block.number) !== facts.number) return `it has the number ${block.number}`;
  if (statedState(block.body.state.postStateHash) !== facts.postStateHash) return "it has another state";
  // That the content is another one is what may be wrong with it.
  const isOtherContent = !equalBytes(hashBlock(block, dialect), block.hash);
  return isOtherContent && facts.reason !== "InvalidBlockHash" ? "its content has another hash" : undefined;
}

/** @returns why the block is not its creator's */
function checkCreator(
  block: Block,
  { verdict }: BlockMessageFacts,
  chain: Pick<Chain, "rules" | "checkReferences">,
): string | undefined {
  // Genesis has no creator: its hash is what all nodes agreed on.
  if (block.number === 0n && verdict === "valid") return undefined;
  const wrong = checkFormat(block) ?? checkSignature(block, chain.rules.dialect);
  return wrong ?? (verdict === "valid" ? chain.checkReferences(block) : undefined);
}

/** Makes the error for a publisher's impossible statement. */
export function refused(
  { hash, number, publisher }: Pick<BlockMessageFacts, "hash" | "number" | "publisher">,
  reason: string,
  cause?: unknown,
): StreamError {
  return new StreamError({ code: "refused", hash, number, by: publisher, reason }, { cause });
}
