import { blake2b256Of, concatBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import {
  Block,
  type BlockFields,
  type BlockSigner,
  decodePacket,
  encodeBlock,
  encodePacket,
  hashKey,
  rnode,
  signBlock,
} from "@vedette/protocol";
import type { PeersPort } from "@vedette/sync";
import type { MessageInterceptor } from "../node/NodeProcess.js";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";
import { corruptBlock } from "./corruptBlock.js";

/** The options of a liar. */
export interface ByzantineValidatorOptions {
  readonly key: BlockSigner;
  readonly random: SeededRandom;
  readonly time: VirtualTime;
  /** The owner of its later processes; it outlives the liar's processes. */
  readonly owner: Owner;
}

/** The time during which it ignores its own other sides. */
const stubbornMs = 40_000;
const evidenceTagLength = 10;
const commitmentLength = 32;

/** A validator that sends different blocks to different peers, withholds blocks, and sends invalid ones. */
export class ByzantineValidator implements MessageInterceptor {
  readonly #use: ByzantineValidatorOptions;
  /** Its forged blocks, which its own node does not have. */
  readonly #forged = new Map<string, { readonly block: Block; readonly sinceMs: number }>();
  /** The other side of each of its blocks that has one. */
  readonly #sides = new Map<string, Block>();
  readonly #withheld = new Set<string>();
  lies = 0;

  constructor(use: ByzantineValidatorOptions) {
    this.#use = use;
  }

  /** Blocks that it signed in the place of others. */
  get forged(): readonly Block[] {
    return [...this.#forged.values()].map(({ block }) => block);
  }

  peers(port: PeersPort): PeersPort {
    return port;
  }

  announces(block: Block, port: PeersPort): boolean {
    const { random } = this.#use;
    const side = this.#otherSideAbove(block);
    if (side !== undefined) return this.#reportTwo(block, side, port);
    switch (random.below(8)) {
      case 0:
      case 1:
        return this.#reportTwo(block, this.#sibling(block, random.from(1, 5)), port);
      case 2:
        return this.#withhold(block, port);
      case 3:
        this.#announce(this.#forge(corruptBlock(block, random), block), this.#some(port), port);
        return true;
      default:
        return true;
    }
  }

  receives(from: Peer, typeId: string, content: Uint8Array): boolean {
    const { random } = this.#use;
    if (!["BlockRequest", "HasBlockRequest", "BlockHashMessage", "HasBlock"].includes(typeId)) return true;
    const { message } = decodePacket(typeId, content, rnode.packetForm) as {
      readonly message: { readonly hash: Uint8Array };
    };
    const key = hashKey(message.hash);
    if (this.#withheld.has(key)) return false;
    const forged = this.#forged.get(key);
    if (forged === undefined) return !(typeId === "BlockRequest" && random.chance(0.05));
    if (typeId === "BlockRequest") {
      this.#port?.stream(from, "BlockMessage", () => encodeBlock(forged.block));
      return false;
    }
    return this.#use.time.nowMs - forged.sinceMs > stubbornMs;
  }

  #port: PeersPort | undefined;

  #reportTwo(block: Block, side: Block, port: PeersPort): boolean {
    const { random } = this.#use;
    const peers = random.shuffled(port.peers);
    const cut = random.from(0, peers.length);
    this.#sides.set(hashKey(block.hash), side);
    this.#announce(block, peers.slice(0, cut), port);
    this.#announce(side, peers.slice(cut), port);
    if (random.chance(0.2)) this.#announce(this.#sibling(block, random.from(6, 9)), this.#some(port), port);
    return false;
  }

  #withhold(block: Block, port: PeersPort): boolean {
    const { random, time, owner } = this.#use;
    const key = hashKey(block.hash);
    this.lies += 1;
    this.#withheld.add(key);
    time.after(random.pick([2_000, 20_000, 90_000]), owner, "announces late", () => {
      this.#withheld.delete(key);
      this.#announce(block, port.peers, port);
    });
    return false;
  }

  #some(port: PeersPort): readonly Peer[] {
    const { random } = this.#use;
    return random.shuffled(port.peers).slice(0, random.from(1, Math.max(1, port.peers.length)));
  }

  #announce({ hash, sender }: Block, peers: readonly Peer[], port: PeersPort): void {
    this.#port = port;
    const content = encodePacket("BlockHashMessage", { hash, blockCreator: sender });
    for (const peer of peers) port.send(peer, "BlockHashMessage", content).catch(() => {});
  }

  /** A second block in the place of the first. */
  #sibling(block: Block, laterMs: number): Block {
    const { header } = block;
    return this.#forge({ ...block, header: { ...header, timestamp: header.timestamp + BigInt(laterMs) } }, block);
  }

  /** The same on the other side of the block before, where that has one. */
  #otherSideAbove(block: Block): Block | undefined {
    const own = hashKey(this.#use.key.publicKey);
    const mine = block.justifications.find(({ validator }) => hashKey(validator) === own);
    const side = mine === undefined ? undefined : this.#sides.get(hashKey(mine.latestBlockHash));
    if (side === undefined) return undefined;
    const swap = (hash: Uint8Array) => (hashKey(hash) === hashKey(mine!.latestBlockHash) ? side.hash : hash);
    const justifications = block.justifications.map(({ validator, latestBlockHash }) => ({
      validator,
      latestBlockHash: swap(latestBlockHash),
    }));
    const header = { ...block.header, parents: block.header.parents.map(swap) };
    return this.#forge({ ...block, header, justifications }, block);
  }

  /** Signs again, with the right commitment to the justifications, so that it does not reveal the forgery. */
  #forge(fields: BlockFields, like: Block): Block {
    const { justifications } = fields;
    const { extraBytes } = like;
    const commitment = blake2b256Of(
      justifications.flatMap(({ validator, latestBlockHash }) => [validator, latestBlockHash]),
    );
    const isStated = extraBytes.length >= evidenceTagLength + commitmentLength && fields.extraBytes === extraBytes;
    const extra = isStated
      ? concatBytes(
          extraBytes.subarray(0, evidenceTagLength),
          commitment,
          extraBytes.subarray(evidenceTagLength + commitmentLength),
        )
      : fields.extraBytes;
    const block = signBlock(fieldsOf(fields, extra), this.#use.key, rnode);
    this.lies += 1;
    this.#forged.set(hashKey(block.hash), { block, sinceMs: this.#use.time.nowMs });
    return block;
  }
}

/** Without what a block remembers of its encoding. */
function fieldsOf(fields: BlockFields, extraBytes: Uint8Array): Block {
  const { hash, header, body, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId } = fields;
  return new Block({
    ...{ hash, header, body, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId },
    extraBytes,
  });
}
