import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex, secp256k1PublicKeyOf, signHash, toHex } from "@vedette/crypto";
import { candidateDigest, decodeApprovedBlock, decodeBlock, encodeEvent, f1r3node, rnode } from "@vedette/protocol";
import { chainDirectory, ownChain, recordedBlocks, usualChains } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { checkApprovals } from "./checkApprovals.js";
import { genesisBonds, genesisLog } from "./genesisBlock.js";

test("keys are compared as signed bytes in rnode (40 §15.1)", () => {
  const keys = ["0451", "04f2", "0483", "0487"];
  const bonds = keys.map((key) => ({ validator: fromHex(key), stake: 1n }));
  const sorted = (dialect: typeof rnode): string[] =>
    genesisBonds(bonds, dialect).map(({ validator }) => toHex(validator));
  expect(sorted(rnode)).toEqual(["0483", "0487", "04f2", "0451"]);
  expect(sorted(f1r3node)).toEqual(["0451", "0483", "0487", "04f2"]);
});

describe("a first block", () => {
  test.each(usualChains("solo", "trio", "merge"))("of %s has its bonds and logs in this order", (chain) => {
    const genesis = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const { bonds } = genesis.body.state;
    expect(genesisBonds([...bonds].reverse(), rnode)).toEqual(bonds);
    for (const { log } of genesis.body.deploys) {
      const shuffled = [...log].reverse();
      expect(genesisLog(shuffled, rnode).map(encodeEvent)).toEqual(log.map(encodeEvent));
    }
  });

  test("is approved once a key, when the signature is right", () => {
    const file = readFileSync(join(chainDirectory(ownChain), "approved-block.bin"));
    const { candidate } = decodeApprovedBlock(Uint8Array.from(file), rnode.blockForm);
    expect(checkApprovals({ candidate: { ...candidate, requiredSignatures: 0 }, signatures: [] }, rnode).isEnough).toBe(
      true,
    );
    const asked = { ...candidate, requiredSignatures: 2 };
    const sign = (seed: number, algorithm = "secp256k1") => {
      const key = new Uint8Array(32).fill(seed);
      const signature = signHash("secp256k1", candidateDigest(asked), key);
      return { publicKey: secp256k1PublicKeyOf(key), algorithm, signature };
    };
    const count = (...signatures: ReturnType<typeof sign>[]) => {
      const { isEnough, signers } = checkApprovals({ candidate: asked, signatures }, rnode);
      return `${signers.length} ${isEnough}`;
    };
    expect(count(sign(1), sign(2))).toBe("2 true");
    expect(count(sign(1), sign(1))).toBe("1 false");
    expect(count(sign(1), sign(2, "SECP256K1"))).toBe("1 false");
    expect(count(sign(1), { ...sign(2), signature: new Uint8Array(70) })).toBe("1 false");
  });
});
