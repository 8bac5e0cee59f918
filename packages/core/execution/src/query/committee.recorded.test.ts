import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { toHex } from "@vedette/crypto";
import { type Bond, decodeBlock, decodeStoreItems, f1r3node } from "@vedette/protocol";
import { BincodeReader, type EMap, type Par, readStoredListParWithRandom } from "@vedette/terms";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { decodeBincodeDatum, decodeBincodeLeaf } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { committeeOf } from "./committee.js";

const chains = recordedDirectory("chains-r");

/** The map in which the proof-of-stake contract keeps what it knows, found in pages of an exported state. */
function stakeMaps(pages: readonly Uint8Array[]): EMap[] {
  return pages
    .flatMap((page) => decodeStoreItems(page).dataItems)
    .map(({ value }) => decodeBincodeLeaf(value))
    .flatMap(({ kind, items }) => (kind === "data" ? items : []))
    .flatMap((item) => readStoredListParWithRandom(new BincodeReader(decodeBincodeDatum(item).content)).pars)
    .flatMap((par) => par.exprs)
    .filter((expr) => expr.kind === "EMap")
    .filter((map) => entryOf(map, "allBonds") !== undefined);
}

function entryOf(map: EMap, name: string): Par | undefined {
  return map.kvs.find(({ key }) => key.exprs.some((expr) => expr.kind === "GString" && expr.value === name))?.value;
}

function bytesOf(par: Par): Uint8Array {
  const expr = par.exprs[0];
  if (expr?.kind !== "GByteArray") throw new TypeError("not a key");
  return expr.value;
}

function bondsIn(map: EMap): Bond[] {
  const bonds = entryOf(map, "allBonds")!.exprs[0];
  if (bonds?.kind !== "EMap") throw new TypeError("no bonds");
  return bonds.kvs.map(({ key, value }) => {
    const stake = value.exprs[0];
    if (stake?.kind !== "GInt") throw new TypeError("no stake");
    return { validator: bytesOf(key), stake: stake.value };
  });
}

function activeIn(map: EMap): Uint8Array[] {
  const active = entryOf(map, "activeValidators")!.exprs[0];
  if (active?.kind !== "ESet") throw new TypeError("no set");
  return active.ps.map(bytesOf);
}

interface Line {
  readonly hash: string;
  readonly floor: string;
}

describe.each([
  ["solo-r", 1],
  ["trio-r", 7],
])(`chain %s of the newer node`, (chain, count) => {
  const read = (name: string): Uint8Array => readFileSync(join(chains, chain, name));

  test("blocks with an exported state of their floor state the bonds of its active validators", () => {
    const lines = new TextDecoder().decode(read("blocks.jsonl")).trim().split("\n");
    const facts = lines.map((line) => JSON.parse(line) as Line);
    const last = JSON.parse(new TextDecoder().decode(read("dag.json"))).lastFinalizedBlock as string;
    const states = new Map([
      [facts[0]!.hash, lengthPrefixed(read("state-genesis.bin"))],
      [last, lengthPrefixed(gunzipSync(read("state-lfb.bin.gz")))],
    ]);
    let compared = 0;
    lengthPrefixed(read("blocks.bin")).forEach((bytes, index) => {
      const { hash, floor } = facts[index]!;
      const pages = states.get(floor);
      if (pages === undefined || floor === hash) return;
      const maps = stakeMaps(pages);
      expect(maps.length).toBe(1);
      const committee = committeeOf(bondsIn(maps[0]!), activeIn(maps[0]!));
      const { bonds } = decodeBlock(bytes, f1r3node.blockForm).body.state;
      const text = ({ validator, stake }: Bond) => `${toHex(validator)} ${stake}`;
      expect(bonds.map(text)).toEqual(committee.map(text));
      compared += 1;
    });
    expect(compared).toBe(count);
  });
});

test("a validator that is not active has no vote", () => {
  const [one, other] = [new Uint8Array(65).fill(1), new Uint8Array(65).fill(2)];
  const bonds = [
    { validator: one, stake: 5n },
    { validator: other, stake: 7n },
  ];
  expect(committeeOf(bonds, [other])).toEqual([{ validator: other, stake: 7n }]);
});
