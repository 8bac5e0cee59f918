import type { BlockTable } from "@vedette/chain";
import { emptyBytes, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, dialectMark, encodeBlock } from "@vedette/protocol";
import type { LogEntry } from "@vedette/queries/events";
import { diffStates, emptyRoot, type StateStore } from "@vedette/tuplespace";
import type { Entry } from "../snapshot/chunk/index.js";
import { type EncodedMessage, makeMessage, type PlainFacts, statedNumber, statedState } from "./blockMessage.js";
import { finalMessage } from "./plainMessages.js";
import { StreamError } from "./StreamError.js";
import type { BlockVerdict } from "./StreamNames.js";

/** The sources of messages. */
export interface MessageSource {
  readonly network: string;
  /** Left out: rnode's. */
  readonly dialect?: Dialect["name"] | undefined;
  /** Id of the publishing node. */
  readonly publisher: string;
  readonly blocks: Pick<BlockTable, "read" | "findBytes">;
  readonly states: StateStore;
  /** Finds the stored results of executing a block. */
  readonly findOutcome: (block: Block) => Uint8Array | undefined;
}

/** The message of a log entry; nothing, if others find it out by themselves. */
export type EntryMessage =
  | {
      readonly kind: "block";
      readonly hash: Uint8Array;
      readonly verdict: BlockVerdict;
      readonly message: EncodedMessage;
    }
  | { readonly kind: "final"; readonly hash: Uint8Array; readonly bytes: Uint8Array };

/**
 * The message that an entry of a node's log of events makes.
 *
 * @param limits `maxBytes`: of one message; `finalWith`: the block that became the last finalized one when the entry's
 *   block became final
 * @throws {StreamError} `stateMissing`: a state that is named as whole is not
 */
export async function messageOf(
  { kind, hash, reason }: LogEntry,
  source: MessageSource,
  { maxBytes, finalWith }: { readonly maxBytes: number; readonly finalWith: () => Uint8Array },
): Promise<EntryMessage | undefined> {
  if (kind === "blockFinalized") {
    const number = Number(source.blocks.read(hash)?.number ?? 0n);
    return { kind: "final", hash, bytes: finalMessage({ hash: toHex(hash), number, with: toHex(finalWith()) }) };
  }
  if (kind !== "blockAdded" && kind !== "blockInvalid" && kind !== "chainStarted") return undefined;
  const block = source.blocks.read(hash);
  if (block === undefined) return undefined;
  const verdict = kind === "blockInvalid" ? "invalid" : "valid";
  const { base, entries } = verdict === "valid" ? stateEntries(block, kind, source) : nothing;
  const bytes = source.blocks.findBytes(hash) ?? encodeBlock(block);
  const mark = source.dialect && dialectMark(source.dialect);
  const known: PlainFacts = {
    ...{ network: source.network, hash: toHex(hash), number: statedNumber(block.number), verdict },
    ...(reason === undefined ? {} : { reason }),
    // Replicas of earlier versions know nothing of it, and take what does not name any.
    ...(mark === undefined ? {} : { dialect: mark }),
    ...{ postStateHash: statedState(block.body.state.postStateHash), publisher: source.publisher },
    base: base === undefined ? null : toHex(base),
  };
  const outcome = (base === undefined ? undefined : source.findOutcome(block)) ?? emptyBytes;
  const message = await makeMessage(known, { outcome, entries: [{ kind: "block", bytes }, ...entries] }, maxBytes);
  return { kind: "block", hash, verdict, message };
}

interface StateEntries {
  /** `undefined` where no state comes with the block. */
  readonly base: Uint8Array | undefined;
  readonly entries: readonly Entry[];
}

const nothing: StateEntries = { base: undefined, entries: [] };

/**
 * Returns the entries of a block's state beside those of its main parent, which others have from its own message or a
 * snapshot.
 */
function stateEntries(block: Block, kind: LogEntry["kind"], { blocks, states }: MessageSource): StateEntries {
  const root = block.body.state.postStateHash;
  if (!states.hasRoot(root)) return nothing;
  // A replica that begins where this node began with a state needs a snapshot of that state.
  if (kind === "chainStarted" && block.number > 0n) return nothing;
  const base = block.number === 0n ? emptyRoot : mainStateOf(block, blocks);
  if (base === undefined || !states.hasRoot(base)) return nothing;
  try {
    const { nodes, leaves } = diffStates(states, root, base);
    const entries: Entry[] = nodes.map(({ node: { bytes } }) => ({ kind: "node", bytes }));
    for (const hash of leaves) {
      const bytes = states.leafBytes(hash);
      if (bytes === undefined) throw new TypeError(`leaf ${toHex(hash)} is not there`);
      entries.push({ kind: "leaf", bytes });
    }
    return { base, entries };
  } catch (error) {
    // It may have been forgotten meanwhile.
    if (!states.hasRoot(root) || !states.hasRoot(base)) return nothing;
    const reason = errorText(error);
    throw new StreamError({ code: "stateMissing", height: block.number, reason }, { cause: error });
  }
}

function mainStateOf({ parents }: Block, blocks: MessageSource["blocks"]): Uint8Array | undefined {
  const main = parents[0];
  return main === undefined ? undefined : blocks.read(main)?.body.state.postStateHash;
}
