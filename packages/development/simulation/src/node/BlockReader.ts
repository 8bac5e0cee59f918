import { checkFormat, checkSignature } from "@vedette/chain";
import { blake2b256 } from "@vedette/crypto";
import { type Block, checkDeploySignatures, decodeBlock, hashKey, rnode, WireError } from "@vedette/protocol";

interface Read {
  readonly block: Block;
  readonly malformed: string | undefined;
  readonly failure: WireError | undefined;
}

const maxRemembered = 4_096;

/** Reads blocks of peers; what all nodes find out alike about the same bytes is found out once. */
export class BlockReader {
  readonly #read = new Map<string, Read>();
  readonly #forms = new WeakMap<Block, Read>();

  /** @throws {WireError} */
  async read(content: Uint8Array): Promise<Block> {
    const key = hashKey(blake2b256(content));
    let known = this.#read.get(key);
    if (known === undefined) {
      known = readAll(content);
      this.#read.set(key, known);
      this.#forms.set(known.block, known);
      if (this.#read.size > maxRemembered) this.#read.delete(this.#read.keys().next().value!);
    }
    if (known.failure !== undefined) throw known.failure;
    return known.block;
  }

  formOf(block: Block): string | undefined {
    const known = this.#forms.get(block);
    return known === undefined ? (checkFormat(block) ?? checkSignature(block, rnode)) : known.malformed;
  }
}

function readAll(content: Uint8Array): Read {
  const block = decodeBlock(content, rnode.blockForm);
  try {
    checkDeploySignatures(block, rnode);
    return { block, malformed: checkFormat(block) ?? checkSignature(block, rnode), failure: undefined };
  } catch (failure) {
    if (!(failure instanceof WireError)) throw failure;
    return { block, malformed: undefined, failure };
  }
}
