import { fromHex, toHex } from "@vedette/crypto";
import { readVectors, usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { channelHash } from "../identity/channelHash.js";
import { sortPar } from "../order/sortPar.js";
import { printPar } from "../print/printTerm.js";
import { decodePar } from "./decode.js";
import { encodePar } from "./encode.js";
import { sizeOfPar } from "./size.js";

interface ParseVector {
  readonly id: string;
  readonly expect: { readonly bytes?: string; readonly hash?: string; readonly printed?: string };
}

interface MatchVector {
  readonly id: string;
  readonly targetBytes: string;
  readonly patternBytes: string;
  readonly expect: { readonly bindings?: Readonly<Record<string, string>> | null };
}

test("every compiled term of the parse vectors is reproduced", () => {
  const failures: string[] = [];
  const vectors = [...readVectors<ParseVector>("rnode", "parse")].filter((vector) => vector.expect.bytes !== undefined);
  expect(vectors.length).toBeGreaterThan(1_000);
  for (const vector of usualCases(vectors, 500)) {
    const { bytes: recorded = "" } = vector.expect;
    const par = decodePar(fromHex(recorded));
    const size = sizeOfPar(par);
    const bytes = toHex(encodePar(par));
    if (bytes !== recorded || size * 2 !== bytes.length) failures.push(`${vector.id}: bytes`);
    if (toHex(encodePar(sortPar(decodePar(fromHex(bytes))))) !== bytes) failures.push(`${vector.id}: sorted`);
    if (sortPar(par) !== par) failures.push(`${vector.id}: a sorted term is not given back itself`);
    if (printPar(par) !== vector.expect.printed) failures.push(`${vector.id}: printed`);
    if (toHex(channelHash(par)) !== vector.expect.hash) failures.push(`${vector.id}: hash`);
  }
  expect(failures).toEqual([]);
});

test("every term of the match vectors is reproduced", () => {
  const failures: string[] = [];
  let count = 0;
  for (const vector of readVectors<MatchVector>("rnode", "match")) {
    const terms = [vector.targetBytes, vector.patternBytes, ...Object.values(vector.expect.bindings ?? {})];
    for (const term of terms) {
      count += 1;
      if (toHex(encodePar(decodePar(fromHex(term)))) !== term) failures.push(vector.id);
    }
  }
  expect(failures).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
});
