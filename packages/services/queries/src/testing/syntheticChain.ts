import type { Chain } from "@vedette/chain";
import { emptyBytes, toHex } from "@vedette/crypto";
import { Block } from "@vedette/protocol";

const senders = [new Uint8Array(65).fill(0x11), new Uint8Array(65).fill(0x22)] as const;
const bonds = senders.map((validator) => ({ validator, stake: 10n }));

interface Place {
  /** The hash is this byte, 32 times. */
  readonly byte: number;
  readonly sender: Uint8Array;
  readonly number: bigint;
  readonly parents: readonly number[];
}

/**
 * Puts four blocks without deploys into a chain: a first one, one of each of two validators, and one upon both.
 *
 * Nothing of them is checked and none has a state.
 */
export function insertBlocks(chain: Chain): { readonly hashes: { readonly genesis: string; readonly top: string } } {
  const genesis = blockAt({ byte: 0xa0, sender: emptyBytes, number: 0n, parents: [] });
  chain.insertApproved(genesis);
  chain.insertTrusted(blockAt({ byte: 0xb1, sender: senders[0], number: 1n, parents: [0xa0] }), false);
  chain.insertTrusted(blockAt({ byte: 0xb2, sender: senders[1], number: 1n, parents: [0xa0] }), false);
  const top = blockAt({ byte: 0xb3, sender: senders[0], number: 2n, parents: [0xb1, 0xb2] });
  chain.insertTrusted(top, false);
  return { hashes: { genesis: toHex(genesis.hash), top: toHex(top.hash) } };
}

/**
 * Puts a line of blocks without deploys into a chain, the first of them approved.
 *
 * @param count at most 200
 * @returns their hashes, in hex
 */
export function insertLine(chain: Chain, count: number): readonly string[] {
  const blocks = Array.from({ length: count }, (_, height) =>
    blockAt({
      byte: height + 1,
      sender: height === 0 ? emptyBytes : senders[0],
      number: BigInt(height),
      parents: height === 0 ? [] : [height],
    }),
  );
  for (const [height, block] of blocks.entries())
    if (height === 0) chain.insertApproved(block);
    else chain.insertTrusted(block, false);
  return blocks.map(({ hash }) => toHex(hash));
}

function blockAt({ byte, sender, number, parents }: Place): Block {
  const justified = parents.length === 1 ? [parents[0]!, parents[0]!] : parents;
  return new Block({
    hash: hashOf(byte),
    header: { parents: parents.map(hashOf), timestamp: number, version: 1n, extraBytes: emptyBytes },
    body: {
      state: { preStateHash: hashOf(0), postStateHash: hashOf(0), bonds, blockNumber: number },
      deploys: [],
      systemDeploys: [],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
    },
    justifications: justified.map((latest, index) => ({
      validator: senders[index]!,
      latestBlockHash: hashOf(latest),
    })),
    sender,
    sequenceNumber: Number(number),
    signature: emptyBytes,
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: emptyBytes,
  });
}

function hashOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte);
}
