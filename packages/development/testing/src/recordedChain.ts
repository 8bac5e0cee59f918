import { readChainFile } from "./recorded.js";

/** The base of a block with several parents: blocks merged, on a state. Hashes are hex. */
export interface MergedScope {
  readonly baseState: string;
  readonly blocks: readonly string[];
}

/** One line of `blocks.jsonl`: rnode's facts about a block. Hashes and keys are hex. */
export interface RecordedBlockFacts {
  readonly hash: string;
  readonly number: number;
  readonly seqNum: number;
  readonly sender: string;
  readonly parents: readonly string[];
  readonly timestamp: number;
  readonly preState: string;
  readonly postState: string;
  readonly bonds: readonly { readonly validator: string; readonly stake: number }[];
  readonly deploys: readonly {
    readonly id: string;
    readonly cost: number;
    readonly failed: boolean;
    readonly systemError: string | null;
    readonly events: number;
  }[];
  readonly rejectedDeploys: readonly string[];
  /** Present only in our own chain. */
  readonly merged?: MergedScope | undefined;
  readonly invalid: boolean;
  readonly finalized: boolean;
}

/** A block of a recorded chain: its exact bytes, and the facts. */
export interface RecordedBlock {
  readonly bytes: Uint8Array;
  readonly facts: RecordedBlockFacts;
}

/**
 * The blocks of a chain, our own or a recorded one, in topological order, genesis first.
 *
 * @throws Error for a recorded chain when the recordings are not there
 */
export function recordedBlocks(chain: string): RecordedBlock[] {
  const lines = new TextDecoder().decode(readChainFile(chain, "blocks.jsonl")).trim().split("\n");
  const messages = lengthPrefixed(readChainFile(chain, "blocks.bin"));
  return messages.map((bytes, index) => ({ bytes, facts: JSON.parse(lines[index]!) }));
}

/** The messages of a recorded file: each is preceded by its length, 4 bytes, big-endian. */
export function lengthPrefixed(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const messages: Uint8Array[] = [];
  for (let offset = 0; offset < file.length; ) {
    const length = view.getUint32(offset);
    messages.push(Uint8Array.from(file.subarray(offset + 4, offset + 4 + length)));
    offset += 4 + length;
  }
  return messages;
}
