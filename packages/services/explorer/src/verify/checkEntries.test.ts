import { toHex } from "@vedette/client";
import { encodePar, printPar } from "@vedette/terms";
import { expect, test } from "vitest";
import { checkEntries } from "./checkEntries.js";
import { channelOfGiven } from "./givenName.js";
import { proofTerms } from "./proofTerms.js";

const { form } = proofTerms.rnode;

test("names that can be found without the node are those that nodes find; others are left to the node", () => {
  const text = (by: Parameters<typeof channelOfGiven>[0]["by"], of: string) => {
    const channel = channelOfGiven({ by, of }, form);
    return channel && printPar(form.decodeChannel(channel));
  };
  expect(text("name", '"shelf"')).toBe('"shelf"');
  expect(text("name", "@-7")).toBe("-7");
  expect(text("private", `Unforgeable(0x${"ab".repeat(32)})`)).toBe(`Unforgeable(0x${"ab".repeat(32)})`);
  expect(text("name", "[1]")).toBeUndefined();
  expect(text("name", '"a" ++ "b"')).toBeUndefined();
  expect(text("uri", "rho:rchain:pos")).toBeUndefined();
});

test("an answer about another name than the requested one is a lie before its proof is read", () => {
  const other = toHex(encodePar(form.decodeChannel(channelOfGiven({ by: "name", of: '"box"' }, form)!)));
  const reported = { names: [{ rholang: '"shelf"', bytes: other }], entries: [], count: 0, proof: {} };
  const asked = { kind: "data", blockHash: "11".repeat(32), given: { by: "name", of: '"shelf"' }, reported } as const;
  expect(() => checkEntries(asked as never, { name: "rnode" })).toThrow("names");
});
