import { expect, test } from "vitest";
import { toBase64 } from "./base64.js";

test("runs of bytes of any length are printed as the engine prints them", () => {
  const bytes = Uint8Array.from({ length: 100_003 }, (_, index) => (index * 131) >> 3);
  for (const length of [0, 1, 2, 3, 4, 24_575, 24_576, 24_577, bytes.length])
    expect(toBase64(bytes.subarray(0, length))).toBe(Buffer.from(bytes.subarray(0, length)).toString("base64"));
});
