import fc from "fast-check";
import { expect, test } from "vitest";
import { printBase58 } from "../bytes/base58.js";
import { concatBytes } from "../bytes/concat.js";
import { fromHex } from "../bytes/hex.js";
import { blake2b256 } from "../hash/blake2b256.js";
import {
  checkVaultAddress,
  vaultAddressOfEthAddress,
  vaultAddressOfPublicKey,
  vaultAddressOfUnforgeable,
} from "./vaultAddress.js";

test.each([
  ["00".repeat(65), "1111WPpi6SB8FpNMtC9drZg3R8T1fH2BVyT52xPUXBbdKDfmskG1r"],
  ["11".repeat(65), "1111pdZDG4MZ3eBfaipaD22VXmbFY6PW9ZdGDWdEcXZz4gGxTxgn9"],
  ["22".repeat(65), "11112CXAkc8pV2AMHUSgHGbFkqovgyY9SRja4ZLSpRC9q7qYZx5SVc"],
  [
    "04f700a417754b775d95421973bdbdadb2d23c8a5af46f1829b1431f5c136e549e8a0d61aa0c793f1a614f8e437711c7758473c6ceb0859ac7e9e07911ca66b5c4",
    "11112VYAt8rUGNRRZX3eJdgagaAhtWTK8Js7F7X5iqddMVqyDTtYau",
  ],
  [
    "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f",
    "1111gW5kkGxHg7xDg6dRkZx2f7qxTizJzaCH9VEM1oJKWRvSX9Sk5",
  ],
  [
    "00322ba649cebf90d8bd0eeb0658ea7957bcc59ecee0676c86f4fec517c062510031122ba649cebf90d8bd0eeb0658ea7957bcc59ecee0676c86f4fec517c06251",
    "1111eEt66obfqvEcKeD3ajeupzsfj6PdSQccNNaRmCoy6Dhv1wM9E",
  ],
  [
    "04c591a8ff19ac9c4e4e5793673b83123437e975285e7b442f4ee2654dffca5e2d2103ed494718c697ac9aebcfd19612e224db46661011863ed2fc54e71861e2a6",
    "111124g5zkKih5cNL6wVGun9ZSzyjEyJiuMMgwvzExWQje96m7BVNS",
  ],
])("the address of the public key %s", (key, address) => {
  expect(vaultAddressOfPublicKey(fromHex(key))).toBe(address);
  expect(checkVaultAddress(address)).toBeUndefined();
});

test("the address of an Ethereum address, with and without 0x", () => {
  const address = "1111Gzo7ywxbcXVumSS9Lzd8JBAqnF1zniNszvMLHQ2APa3dzs2rG";
  expect(vaultAddressOfEthAddress("06a441c277bf454c5d159b0e5bdafca69b296733")).toBe(address);
  expect(vaultAddressOfEthAddress("0x06a441c277bf454c5d159b0e5bdafca69b296733")).toBe(address);
});

test.each(["1x06a441c277bf454c5d159b0e5bdafca69b296733", "0x06", ""])("%j is no Ethereum address", (text) => {
  expect(vaultAddressOfEthAddress(text)).toBeUndefined();
});

test("the addresses of unforgeable names", () => {
  expect(vaultAddressOfUnforgeable(new Uint8Array(32))).toBe("1111Rhun7B8zMbtWwLETtKAS5WLHRaZFLHjY6KikfeBogCf4hVPPD");
  const id = fromHex("72d0f333c719323406901bca34c2935e4d92c31402fa80a2c273422e923af550");
  expect(vaultAddressOfUnforgeable(id)).toBe("111183oBDXK9SDAK6X5USzvq6XCznpi5mN6E6hRkLzomqm8ny94x1");
});

test("a key that has not 65 bytes has no address", () => {
  expect(vaultAddressOfPublicKey(fromHex("f0f0"))).toBeUndefined();
  expect(vaultAddressOfPublicKey(new Uint8Array(64))).toBeUndefined();
});

test("the faults of an address, in their order", () => {
  const good = "1111K9MczqzZrNkUNmNGrNFyz7F7LiCUgaCHXd28g2k5PxiaNuCAi";
  const withOtherPrefix = concatBytes(Uint8Array.of(0, 0, 0, 1), new Uint8Array(32));
  const checksum = blake2b256(withOtherPrefix).subarray(0, 4);
  expect(checkVaultAddress(good)).toBeUndefined();
  expect(checkVaultAddress(`${good}0`)).toBe("Invalid Base58 encoding");
  expect(checkVaultAddress("")).toBe("Invalid address length");
  expect(checkVaultAddress(`1${good}`)).toBe("Invalid address length");
  expect(checkVaultAddress("z".repeat(100_000))).toBe("Invalid address length");
  expect(checkVaultAddress("1".repeat(40))).toBe("Invalid checksum");
  expect(checkVaultAddress(printBase58(concatBytes(withOtherPrefix, checksum)))).toBe("Invalid prefix");
});

test("no 40 bytes take more than 55 characters", () => {
  expect(printBase58(new Uint8Array(40).fill(0xff)).length).toBe(55);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 40, maxLength: 40 }), (bytes) => {
      expect(printBase58(bytes).length).toBeLessThanOrEqual(55);
    }),
  );
});
