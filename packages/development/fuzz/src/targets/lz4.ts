import { equalBytes, toHex } from "@vedette/crypto";
import { NetworkError } from "@vedette/network";
import { compressBlock, expandBlock } from "@vedette/network/testing";
import { must, refusedAs, type Target } from "../driver/Target.js";

const headBytes = 3;

/** A byte of flags and two of the claimed length; the rest is a compressed block, and content to be compressed. */
export const lz4: Target = {
  name: "lz4",
  about: "a compressed stream gives exactly the claimed length or a NetworkError; what is compressed comes back",
  cost: "expensive",
  files: ["network/stream/compress.js"],
  maxBytes: 400,
  *seeds() {
    yield Uint8Array.of(0, 5, 0, 0x50, 1, 2, 3, 4, 5);
    yield Uint8Array.of(1, 5, 0, 5, 0x50, 1, 2, 3, 4, 5);
    yield Uint8Array.of(0, 30, 0, 0x1f, 1, 1, 0, 5, 0x50, 1, 2, 3, 4, 5);
  },
  async run(input) {
    const withLength = ((input[0] ?? 0) & 1) === 1;
    const isHuge = ((input[0] ?? 0) & 2) === 2;
    const claimed = ((input[1] ?? 0) | ((input[2] ?? 0) << 8)) * (isHuge ? 30_000 : 1);
    const block = input.subarray(headBytes);
    try {
      const content = await expandBlock(block, claimed, withLength);
      must(content.length === claimed, "content has the claimed length");
    } catch (error) {
      refusedAs(error, NetworkError);
    }
    const compressed = await compressBlock(block, withLength);
    const back = await expandBlock(compressed, block.length, withLength);
    must(equalBytes(back, block), "what was compressed comes back");
  },
  show: toHex,
};
