import { JsonHex, printJson } from "@vedette/api";
import { expect, test } from "vitest";
import { EncodedBody } from "../EncodedBody.js";
import { printLarge } from "./LargeText.js";

test("what is printed in turns is byte for byte what is printed at once, with the same tag, and others have their turns", async () => {
  const long = Uint8Array.from({ length: 1_000_001 }, (_, index) => (index * 131) >> 3);
  const value = {
    'a "quoted" \0 text': new JsonHex(long),
    list: [
      1n,
      new JsonHex(new Uint8Array(0)),
      new JsonHex(long, "base64"),
      "\0é",
      new JsonHex(long.subarray(7, 1 << 19)),
    ],
    end: null,
  };
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const printed = await printLarge(value);
  clearInterval(counting);
  const atOnce = new EncodedBody(printJson(value));
  expect(Buffer.compare(printed.bytes, atOnce.bytes)).toBe(0);
  expect(printed.tag).toBe(atOnce.tag);
  expect(turns).toBeGreaterThan(0);
});

test("long texts are printed in turns, too, and amounts as texts", async () => {
  // Characters of two units lie on every edge between two slices, with any text before them.
  const long = `${"\u{1f600}".repeat(200_000)}"\n\ud83d`;
  const value = {
    term: long,
    odd: `a${long}`,
    many: Array.from({ length: 20_000 }, (_, index) => ({ cost: BigInt(index), none: undefined })),
    empty: [{}, [], ""],
  };
  const amounts = new Set(["cost"]);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const printed = await printLarge(value, amounts);
  clearInterval(counting);
  expect(Buffer.compare(printed.bytes, Buffer.from(printJson(value, amounts)))).toBe(0);
  expect(turns).toBeGreaterThan(0);
});
