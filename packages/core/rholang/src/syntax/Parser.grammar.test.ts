import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstOffender, productions, terminals } from "../testing/grammar.js";
import { refusedToken } from "../testing/refusedToken.js";

/** Derives a sentence at random; behind `budget` choices it takes the shortest way out. */
function derive([seed, budget]: readonly [seed: number, budget: number]): string[] {
  const tokens: string[] = [];
  let state = seed;
  let left = budget;
  const expand = (symbol: string): void => {
    const alternatives = productions.get(symbol);
    if (alternatives === undefined) {
      tokens.push(symbol);
      return;
    }
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // A symbol with one alternative is no choice; it does not count.
    const choice = alternatives.length > 1 && left > 0 ? alternatives[(state >>> 8) % alternatives.length] : undefined;
    if (alternatives.length > 1) left -= 1;
    for (const part of choice ?? shortest.get(symbol)!) expand(part);
  };
  expand("Proc");
  return tokens;
}

/** For each symbol the alternative that leads to the end by the fewest steps. */
const shortest = findShortest();

function findShortest(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [left, alternatives] of productions) {
      const done = alternatives.find((right) => right.every((each) => found.has(each) || !productions.has(each)));
      if (!found.has(left) && done !== undefined) found.set(left, done);
    }
  }
  return found;
}

const sentence = fc
  .tuple(fc.nat(), fc.integer({ min: 10, max: 200 }))
  .map(derive)
  .filter((tokens) => tokens.length <= 60);
const token = fc.constantFrom(...terminals);

/** A sentence with a few tokens taken away, put in or exchanged. */
const damaged = fc
  .tuple(sentence, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), token), { minLength: 1, maxLength: 3 }))
  .map(([tokens, changes]) => {
    const result = tokens.slice();
    for (const [place, remove, added] of changes) {
      const at = place % (result.length + 1);
      if (remove === 2) result.splice(at, 1);
      else result.splice(at, remove, added);
    }
    return result;
  });

/** How many programs each test tries; more of them in a longer search by hand. */
const numRuns = Number(process.env["GRAMMAR_RUNS"] ?? 300);

describe("the parser accepts and refuses what the grammar does, at the same token", () => {
  test("sentences", () => {
    const agrees = (tokens: readonly string[]) => {
      expect([tokens, refusedToken(tokens)]).toEqual([tokens, -1]);
    };
    fc.assert(fc.property(sentence, agrees), { numRuns });
  });

  const agrees = (tokens: readonly string[]) => {
    expect([tokens, refusedToken(tokens)]).toEqual([tokens, firstOffender(tokens)]);
  };

  test("damaged sentences", () => {
    fc.assert(fc.property(damaged, agrees), { numRuns });
  });

  test("random tokens", () => {
    fc.assert(fc.property(fc.array(token, { maxLength: 8 }), agrees), { numRuns });
  });
});
