import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Compressions, type Encoding } from "./Compressions.js";

function trial(maxBytes: number) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const compressions = new Compressions(maxBytes, (answer, encoding) => {
    begun.push(`${encoding} ${answer.length}`);
    return new Promise((resolve) => ends.push(() => resolve(answer)));
  });
  return { compressions, begun, ends };
}

test("an answer is compressed once for all who are sent it, in each way", async () => {
  const { compressions, begun, ends } = trial(1_000);
  const answer = new Uint8Array(100);
  const ways: Encoding[] = ["br", "gzip", "br", "br", "gzip"];
  const made = ways.map((encoding) => compressions.find(answer, encoding));
  for (const end of ends) end();
  expect(await Promise.all(made)).toEqual(made.map(() => answer));
  expect([compressions.find(answer, "br"), begun]).toEqual([made[0], ["br 100", "gzip 100"]]);
});

test("when too much is being compressed, answers are sent as they are; a large one is compressed alone", async () => {
  const { compressions, begun, ends } = trial(1_000);
  const large = compressions.find(new Uint8Array(5_000), "br");
  expect([large !== undefined, compressions.find(new Uint8Array(1), "br")]).toEqual([true, undefined]);
  ends[0]!();
  await large;
  const small = [400, 500, 600].map((length) => compressions.find(new Uint8Array(length), "br") !== undefined);
  expect([small, begun]).toEqual([
    [true, true, false],
    ["br 5000", "br 400", "br 500"],
  ]);
});

test("what was compressed is the answer", async () => {
  const answer = Buffer.from("answer ".repeat(1_000));
  const compressions = new Compressions();
  expect(brotliDecompressSync((await compressions.find(answer, "br"))!).equals(answer)).toBe(true);
  expect(gunzipSync((await compressions.find(answer, "gzip"))!).equals(answer)).toBe(true);
});
