import { expect, test } from "vitest";
import { lookedForText, namedIn, shapeOf } from "./shapeOf.js";

const hash = "ab".repeat(32);
const id = `3045${"cd".repeat(68)}`;

test("only a text that a node can look up is a name", () => {
  expect(shapeOf("12345")).toMatchObject({ height: 12_345, blockHash: undefined, deployPrefix: undefined });
  expect(shapeOf(hash.slice(0, 6))).toMatchObject({ blockHash: "ababab", deployId: undefined });
  expect(shapeOf(id)).toMatchObject({ deployId: id, blockHash: undefined });
  // Half a byte is missing, as while one types.
  expect(shapeOf(id.slice(0, -1))).toMatchObject({ deployId: undefined, deployPrefix: id.slice(0, -1) });
});

test("a link of another explorer names its content", () => {
  expect(namedIn(` https://explorer.example/#/block/${hash} `)).toBe(hash);
  expect(namedIn(`https://explorer.example/transaction/${id}?tab=1a`)).toBe(id);
  expect(namedIn("https://explorer.example:8080/block?height=1234")).toBe("1234");
  expect(namedIn("https://explorer.example/state?of=rho%3Archain%3Apos")).toBe("rho:rchain:pos");
  expect(namedIn("https://explorer.example/%zz")).toBe("https://explorer.example/%zz");
  expect(namedIn("a lighthouse")).toBe("a lighthouse");
});

test("where nothing was found, the text lists what was looked for, and what was not", () => {
  expect(lookedForText(shapeOf("123456"), true)).toBe(
    "Nothing on this node: looked for a block at height 123456, blocks with a hash that begins so, deploys with an id that begins so.",
  );
  expect(lookedForText(shapeOf(hash), false)).toBe(
    "Nothing on this node: looked for blocks with a hash that begins so. It keeps no index, so it did not look for deploys with an id that begins so.",
  );
  expect(lookedForText(shapeOf(id), false)).toBe("Nothing on this node: looked for a deploy with this id.");
  expect(lookedForText(shapeOf("lighthouse"), false)).toBe(
    "Nothing on this node. It keeps no index, so it did not look for programs with these words.",
  );
});
