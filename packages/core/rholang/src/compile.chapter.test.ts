import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { toHex } from "@vedette/crypto";
import { channelHash, encodePar, printPar } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";

const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");
const chapter = readFileSync(join(repository, "docs", "protocol", "20-rholang-syntax.md"), "utf8");

function section(from: string, to: string): string {
  return chapter.slice(chapter.indexOf(from), chapter.indexOf(to));
}

describe("the programs of chapter 20 §15.6", () => {
  const entry = /\*\*(P\d+)\*\* source: `` (.*) ``\n\n- bytes: `(\w+)`\n- blake2b-256: `(\w+)`\n- print: `` (.*) ``/g;
  const programs = [...section("### 15.6", "### 15.7").matchAll(entry)].map(([, ...parts]) => parts);

  test("are all there", () => {
    expect(programs).toHaveLength(18);
  });

  test.each(programs)("%s", (_label, source, bytes, hash, print) => {
    const par = compile(source!);
    expect(toHex(encodePar(par))).toBe(bytes);
    expect(toHex(channelHash(par))).toBe(hash);
    expect(printPar(par).replaceAll("\n", "⏎")).toBe(print);
  });
});

describe("the terms of chapter 20 §15.5 that a program can write", () => {
  const row = /^\| `{1,2} ?(.+?) ?`{1,2} \| (?:\(empty\)|`(\w+)`) \| `(\w+)` \|$/gm;
  const written = [...section("### 15.5", "### 15.6").matchAll(row)]
    .map(([, term, bytes, hash]) => [
      term!.replace(/ \((any order|ENeg\(1\))\)$/, "").replaceAll("\\|", "|"),
      bytes ?? "",
      hash!,
    ])
    .filter(([term]) => !/value|^byte array|in a deploy/.test(term!));

  test("are all there", () => {
    expect(written).toHaveLength(34);
  });

  test.each(written)("%s", (term, bytes, hash) => {
    const par = compile(term!);
    expect(toHex(encodePar(par))).toBe(bytes);
    expect(toHex(channelHash(par))).toBe(hash);
  });
});
