import {
  BindPattern,
  ConnectiveAnd,
  ConnectiveType,
  EList,
  ETuple,
  EVar,
  emptyBitSet,
  freeVar,
  GInt,
  ListParWithRandom,
  makeMap,
  makeSet,
  nil,
  Par,
  parOfExpr,
  Receive,
  ReceiveBind,
  rnodeAtoms,
  Send,
  sortPar,
  type Var,
  wildcard,
} from "@vedette/terms";
import { anyData, anyTerm } from "@vedette/terms/testing";
import { runs } from "@vedette/testing";
import { looksOfData, looksOfPattern } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchF1r3nodeDatum, matchF1r3nodePar } from "../f1r3node/match/matchF1r3nodePar.js";
import { isAnyRefused } from "./isRefused.js";
import { matchDatum, matchPar } from "./matchPar.js";

const randomState = new Uint8Array(32);
const ticks = 20_000;

function limited() {
  let left = ticks;
  return {
    tick(units: number) {
      left -= units;
      if (left < 0) throw new Error("enough");
    },
  };
}

/** @returns `undefined` where it takes too long, or is no pattern that a program can have */
function unlessTooLong<T>(match: () => T): T | undefined {
  try {
    return match();
  } catch {
    return undefined;
  }
}

const open = (level: number | undefined): Par => parOfExpr(new EVar(level === undefined ? wildcard : freeVar(level)));

/** The fate of a part in a pattern: it stays, or a variable, wildcard or conjunction replaces it. */
const anyHole = fc.constantFrom("stays" as const, "variable" as const, "wildcard" as const, "both" as const);

/** `x /\\ value`, or `x /\\ Int` and the like where the value is of such a kind. */
function both(level: number, value: Par): Par {
  const [expr] = value.exprs;
  const kind = expr === undefined ? undefined : typeNames.get(expr.kind);
  const type = kind && Par.of({ connectives: [new ConnectiveType(kind, true)], connectiveUsed: true });
  return Par.of({ connectives: [new ConnectiveAnd([open(level), type ?? value])], connectiveUsed: true });
}

const typeNames = new Map<string, ConstructorParameters<typeof ConnectiveType>[0]>([
  ["GInt", "Int"],
  ["GString", "String"],
  ["GBool", "Bool"],
]);

interface Part {
  readonly shape: "plain" | "tuple" | "list" | "send" | "receive" | "map" | "set" | "beside";
  readonly elements: readonly {
    readonly value: Par;
    readonly hole: typeof anyHole extends fc.Arbitrary<infer T> ? T : never;
  }[];
  /** A list's last elements are left to a remainder. */
  readonly left: number;
}

const anyPart: fc.Arbitrary<Part> = fc.record({
  shape: fc.constantFrom(
    ...([
      "plain",
      "tuple",
      "list",
      "send",
      "receive",
      "map",
      "set",
      "beside",
    ] as const satisfies readonly Part["shape"][]),
  ),
  elements: fc.array(fc.record({ value: anyData(), hole: anyHole }), { minLength: 1, maxLength: 10 }),
  left: fc.nat({ max: 2 }),
});

const hasRest = (shape: Part["shape"]) => shape === "list" || shape === "map" || shape === "set";

/** One term of some parts; of a map these are values of keys by their places. */
function made(
  shape: Exclude<Part["shape"], "plain">,
  values: readonly Par[],
  { isOpen, remainder }: { readonly isOpen: boolean; readonly remainder: Var | undefined },
): Par {
  const key = (at: number) => parOfExpr(new GInt(BigInt(at)));
  switch (shape) {
    case "tuple":
      return parOfExpr(new ETuple(values, emptyBitSet, isOpen));
    case "list":
      return parOfExpr(new EList(values, emptyBitSet, isOpen, remainder));
    case "send":
      return Par.of({
        sends: [new Send(values[0]!, values.slice(1), false, emptyBitSet, isOpen)],
        connectiveUsed: isOpen,
      });
    case "receive": {
      const binds = values.map((value) => new ReceiveBind([open(0)], value, undefined, 1));
      const receive = new Receive(binds, nil, false, false, binds.length, emptyBitSet, isOpen);
      return Par.of({ receives: [receive], connectiveUsed: isOpen });
    }
    case "set":
      return parOfExpr(makeSet(values, emptyBitSet, isOpen, remainder, rnodeAtoms));
    case "beside":
      return beside(values, isOpen);
    case "map": {
      const pairs = values.map((value, at) => ({ key: key(at), value }));
      return parOfExpr(makeMap(pairs, emptyBitSet, isOpen, remainder, rnodeAtoms));
    }
  }
}

/** Processes side by side. */
function beside(parts: readonly Par[], isOpen: boolean): Par {
  const all = Par.of({
    sends: parts.flatMap(({ sends }) => sends),
    receives: parts.flatMap(({ receives }) => receives),
    news: parts.flatMap(({ news }) => news),
    exprs: parts.flatMap(({ exprs }) => exprs),
    matches: parts.flatMap(({ matches }) => matches),
    unforgeables: parts.flatMap(({ unforgeables }) => unforgeables),
    bundles: parts.flatMap(({ bundles }) => bundles),
    connectives: parts.flatMap(({ connectives }) => connectives),
    connectiveUsed: isOpen,
  });
  return sortPar(all);
}

/** A datum, and a pattern that is made of it. */
function pairOf(
  parts: readonly Part[],
  isCut: boolean,
): { readonly data: ListParWithRandom; readonly bind: BindPattern } {
  let level = 0;
  const inPattern = ({ value, hole }: Part["elements"][number]) => {
    if (hole === "stays") return value;
    return hole === "both" ? both(level++, value) : open(hole === "variable" ? level++ : undefined);
  };
  const pars = parts.map(({ shape, elements }) => {
    const values = elements.map(({ value }) => value);
    return shape === "plain" ? values[0]! : made(shape, values, { isOpen: false, remainder: undefined });
  });
  const patterns = parts.map(({ shape, elements, left }) => {
    if (shape === "plain") return inPattern(elements[0]!);
    const kept = hasRest(shape) && left > 0 ? elements.slice(0, -left) : elements;
    const values = kept.map(inPattern);
    const isOpen = kept.some(({ hole }) => hole !== "stays");
    const remainder = kept.length < elements.length ? freeVar(level++) : undefined;
    return made(shape, values, { isOpen: isOpen || remainder !== undefined, remainder });
  });
  const remainder = isCut ? freeVar(level++) : undefined;
  const bind = new BindPattern(isCut ? patterns.slice(0, -1) : patterns, remainder, level);
  return { data: new ListParWithRandom(pars, randomState), bind };
}

const mayMatch = (bind: BindPattern, data: ListParWithRandom) => {
  const shown = new Set(looksOfData(data));
  return looksOfPattern(bind).every((look) => shown.has(look));
};

describe.each([
  ["rnode", matchDatum, matchPar],
  ["f1r3node", matchF1r3nodeDatum, matchF1r3nodePar],
] as const)("what the look of a datum refuses the matcher refuses: %s", (_, match, matchOne) => {
  test("of patterns that are made of their data", () => {
    let matches = 0;
    const check = (parts: readonly Part[], isCut: boolean) => {
      const { data, bind } = pairOf(parts, isCut);
      const { patterns } = bind;
      const matchesEach = () =>
        patterns.every((pattern, at) => matchOne(data.pars[at]!, pattern, limited()) !== undefined);
      if (unlessTooLong(matchesEach)) expect(isAnyRefused(data.pars, patterns)).toBe(false);
      if (unlessTooLong(() => match(bind, data, limited())) === undefined) return;
      matches += 1;
      expect(mayMatch(bind, data)).toBe(true);
    };
    fc.assert(fc.property(fc.array(anyPart, { minLength: 1, maxLength: 3 }), fc.boolean(), check), {
      numRuns: runs(200, 2_000),
    });
    expect(matches).toBeGreaterThan(runs(50, 1_000));
  });

  test("of patterns and data that were made apart", () => {
    const someTerms = fc.array(fc.oneof(anyTerm(), anyData()), { minLength: 1, maxLength: 2 });
    const check = (patterns: readonly Par[], pars: readonly Par[]) => {
      const bind = new BindPattern(patterns, undefined, 4);
      const data = new ListParWithRandom(pars, randomState);
      if (mayMatch(bind, data) && !isAnyRefused(pars, patterns)) return;
      const matchesEach = () => pars.every((par, at) => matchOne(par, patterns[at] ?? nil, limited()) !== undefined);
      expect(patterns.length === pars.length && unlessTooLong(matchesEach)).not.toBe(true);
    };
    fc.assert(fc.property(someTerms, someTerms, check), { numRuns: runs(200, 2_000) });
  });
});

test("a receive that waits for a process is found by the channel of its binds alone", () => {
  const receiveOn = (channel: bigint, body: Par) => {
    const bind = new ReceiveBind([open(0)], parOfExpr(new GInt(channel)), undefined, 1);
    return Par.of({ receives: [new Receive([bind], body, false, false, 1, emptyBitSet, body.connectiveUsed)] });
  };
  const wanted = new BindPattern([receiveOn(7n, open(0))], undefined, 1);
  const found = [7n, 8n].map((channel) =>
    mayMatch(wanted, new ListParWithRandom([receiveOn(channel, nil)], randomState)),
  );
  expect(found).toEqual([true, false]);
});
