import { expect, test } from "vitest";
import { fromHex, toHex } from "../bytes/hex.js";
import { blake2b256 } from "../hash/blake2b256.js";
import { crc14, registryUri } from "./registryUri.js";

const keys: readonly (readonly [string, number, string, string])[] = [
  [
    "ListOps",
    0x16b5,
    "040126690519dc9b0f52876cb13458e15697794dd87d7c6477707c7efa4cce8a36b634eab5056bd4e3ba385ab14a638e4ac7d3b3e4968da3d66933fc04bc7038b5",
    "6fzorimqngeedepkrizgiqms6zjt76zjeciktt1eifequy4osz35ks",
  ],
  [
    "Either",
    0x2206,
    "04c71f6c7b87edf4bec14f16f715ee49c6fea918549abdf06c734d384b60ba922990317cc4bf68da8c85b455a65595cf7007f1e54bfd6be26ffee53d1ea6d7406b",
    "qrh6mgfp5z6orgchgszyxnuonanz7hw3amgrprqtciia6astt66ypn",
  ],
  [
    "NonNegativeNumber",
    0x3f17,
    "04e1559d809924e564dce57e34646e155b144d2a504ce7ee519d7a5108fd42f1038d08d745e5ea21cb53d6aa7c7174a768fa373207a83bc947a20c6a02ece7a60e",
    "hxyadh1ffypra47ry9mk6b8r1i33ar1w9wjsez4khfe9huzrfcytx9",
  ],
  [
    "MakeMint",
    0x2c40,
    "0470256c078e105d2958b9cf66f2161d83368f483c0219790277fb726a459be7f56a9a48bbecf72bcaed6a3515bd0a144faf6a6a8de8f6c9b3b7dff297eb371f28",
    "asysrwfgzf8bf7sxkiowp4b3tcsy4f8ombi3w96ysox4u3qdmn1wbc",
  ],
  [
    "AuthKey",
    0x15df,
    "04f4b4417f930e6fab5765ac0defcf9fce169982acfd046e7c27f9b14c0804014623c0439e5c8035e9607599a549303b5b6b90cd9685e6965278bddca65dac7510",
    "1qw5ehmq1x49dey4eadr1h4ncm361w3536asho7dr38iyookwcsp6i",
  ],
  [
    "ASIVault",
    0x09df,
    "040f035630a5d2199184890b4b6b83440c842da0b6becca539f788f7b35d6e873561f673cd6ebe2e32236398a86f29dad992e8fba32534734300fcc5104bcfea0e",
    "6zcfqnwnaqcwpeyuysx1rm48ndr6sgsbbgjuwf45i5nor3io7dr76j",
  ],
  [
    "MultiSigASIVault",
    0x22c2,
    "04fe2eb1e0e7462b1a8f64600389e1e76727f8b2d38804eaa4b48f7a7d6715130fc24d3c4dac2d8bdc19e0b49879dbaf07c30773cd9740a9d14a092ef76339207a",
    "b9s6j3xeobgset4ndn64hje64grfcj7a43eekb3fh43yso5ujiecfn",
  ],
  [
    "Stack",
    0x092a,
    "04d545071374ee35b3c68dea1446f992a8539627f9c77ce6a99f4946cb3d9514c5c3e13cb74af509d4e5a31aa82253d927e9d549273a69c8ec22209cf05a8ff9c1",
    "eb6a9iqn4tqr9gaa6dzspiuee9g3mt9c1umrfwcpaugp6ctuijbnwj",
  ],
  [
    "PoS",
    0x0417,
    "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f",
    "m3xk7h8r54dtqtwsrnxqzhe81baswey66nzw6m533nyd45ptyoybqr",
  ],
];

test.each(keys)("the URI of the key of %s", (_, checksum, key, uri) => {
  const hash = blake2b256(fromHex(key));
  expect(crc14(hash)).toBe(checksum);
  expect(registryUri(hash)).toBe(`rho:id:${uri}`);
});

test("the checksum of the key of the registry", () => {
  const key =
    "045f6bf025bbf22360b15cbfab30383863b7fc8d47fea0314b03d42e82e45b57f38211385354e12b9ba54de2a8dc4fd986ff6487a8496453d8b7085a4becd5ea51";
  expect(crc14(blake2b256(fromHex(key)))).toBe(0x0472);
});

test('the URIs of no bytes and of the term "foo"', () => {
  expect(registryUri(blake2b256(new Uint8Array()))).toBe(
    "rho:id:b3midobghib5f4fmf4agbgq4w8e6mz48q68zxb94ipnh5hjxhqwj3i",
  );
  const hash = blake2b256(fromHex("2a051a03666f6f"));
  expect(toHex(hash)).toBe("dded1a9cd2bb6dc84e672f46b90d6e5c519a11080cb012ec69dcb9218ed2626b");
  expect(crc14(hash)).toBe(0x3874);
  expect(registryUri(hash)).toBe("rho:id:5zsti8g1zpshouu8f7dm1dmqmte3wreeb1abf5dj51h1dds1cjizja");
});
