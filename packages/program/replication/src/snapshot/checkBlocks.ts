import { bindsReferences, checkSignature } from "@vedette/chain";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, decodeBlock, hashBlock } from "@vedette/protocol";
import { blocksAround } from "@vedette/sync";
import type { Manifest } from "./manifest/Manifest.js";
import { SnapshotError } from "./SnapshotError.js";

/**
 * Reads the blocks of a snapshot, its own first. Checks that each matches its hash, is its creator's, and is of the
 * same network. Parts that the hash does not cover (40 §1.3) are checked as far as the network binds them, as with
 * blocks from peers.
 *
 * @spec 40 §3.8, §16.1
 */
export class BlockReader {
  readonly #manifest: Manifest;
  readonly #dialect: Dialect;
  #own: Block | undefined;

  /** @param own the snapshot's own block, where it was read before */
  constructor(manifest: Manifest, dialect: Dialect, own?: Block) {
    this.#manifest = manifest;
    this.#dialect = dialect;
    this.#own = own;
  }

  /** @param chunk the hash of the chunk that contains the bytes @throws {SnapshotError} `chunkWrong` */
  read(chunk: string, bytes: Uint8Array): Block {
    const wrong = (reason: string, cause?: unknown) =>
      new SnapshotError({ code: "chunkWrong", hash: chunk, reason }, { cause });
    let block: Block;
    try {
      block = decodeBlock(bytes.slice(), this.#dialect.blockForm);
    } catch (error) {
      throw wrong(`a block cannot be read (${errorText(error)})`, error);
    }
    if (!equalBytes(hashBlock(block, this.#dialect), block.hash))
      throw wrong("a block has another hash than it states");
    const name = `block ${toHex(block.hash)}`;
    if (block.shardId !== this.#manifest.shard) throw wrong(`${name} is another network's`);
    if (this.#own === undefined && toHex(block.hash) !== this.#manifest.block.hash)
      throw wrong(`${name} comes before the one that the snapshot is of`);
    const own = this.#own ?? block;
    // Genesis has no creator: its hash is what all nodes agreed on.
    if (block.number > 0n) {
      if (!bindsReferences(own, block)) throw wrong(`${name} has references that its creator did not sign`);
      const refusal = checkSignature(block, this.#dialect);
      if (refusal !== undefined) throw wrong(`${name}: ${refusal}`);
    }
    this.#own = own;
    return block;
  }
}

/**
 * Returns the block of a snapshot, and those that enter a DAG with it.
 *
 * @param find   a block that was read by a {@link BlockReader}
 * @param lowest of a block: the height down to which blocks go with it; default: the usual one
 * @throws {SnapshotError} `incomplete`: one is not there, or its own differs from the manifest's
 * @spec 40 §3.8
 */
export function requireBlocks(
  { name, block: { hash, number, postStateHash }, blocksFrom, checkpoint }: Manifest,
  find: (hash: Uint8Array) => Block | undefined,
  lowest: (block: Block) => bigint | undefined = () => undefined,
): { readonly block: Block; readonly hashes: readonly Uint8Array[] } {
  const incomplete = (reason: string) => new SnapshotError({ code: "incomplete", name, reason });
  const block = find(fromHex(hash));
  if (block === undefined) throw incomplete("its own block is not in it");
  if (block.number !== BigInt(number)) throw incomplete(`its block has the number ${block.number}, and not ${number}`);
  if (checkpoint !== undefined && block.header.timestamp !== BigInt(checkpoint.timestamp))
    throw incomplete(`its checkpoint states the time ${checkpoint.timestamp}, its block ${block.header.timestamp}`);
  if (toHex(block.body.state.postStateHash) !== postStateHash) throw incomplete("its state is not that of its block");
  const wanted = minOf(blocksFrom === undefined ? undefined : BigInt(blocksFrom), lowest(block));
  const around = blocksAround(block, find, wanted);
  if (around.kind === "missing") throw incomplete(`block ${toHex(around.hash)} is not in it`);
  return { block, hashes: around.hashes };
}

/** The lower of two heights down to which blocks are wanted, either of which may not be given. */
export function minOf(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
