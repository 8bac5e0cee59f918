import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex, toHex } from "@vedette/crypto";
import { decodePar, encodePar } from "@vedette/terms";
import { vectorsDirectories, vectorsDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { InterpreterError } from "../InterpreterError.js";
import { matchPar } from "./matchPar.js";

interface Vector {
  readonly id: string;
  readonly targetBytes: string;
  readonly patternBytes: string;
  readonly expect: {
    readonly bindings?: Readonly<Record<string, string>> | null;
    readonly freeCount?: number;
    readonly error?: { readonly class: string };
  };
}

function answer(vector: Vector): unknown {
  const target = decodePar(fromHex(vector.targetBytes));
  const pattern = decodePar(fromHex(vector.patternBytes));
  try {
    const bindings = matchPar(target, pattern);
    if (bindings === undefined) return null;
    return Object.fromEntries([...bindings].map(([level, par]) => [level, toHex(encodePar(par))]));
  } catch (error) {
    if (error instanceof InterpreterError) return { class: error.failure.class };
    throw error;
  }
}

test.each(vectorsDirectories())("captures what the vectors in %s say", (directory) => {
  const folder = join(directory, "22-matching");
  let count = 0;
  for (const file of readdirSync(folder).filter((name) => /^match.*\.jsonl$/.test(name))) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      if (line === "") continue;
      const vector: Vector = JSON.parse(line);
      const wanted = vector.expect.error === undefined ? vector.expect.bindings : { class: vector.expect.error.class };
      expect(answer(vector), vector.id).toEqual(wanted);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(directory === vectorsDirectory() ? 1000 : 30);
});
