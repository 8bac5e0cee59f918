import { fromHex, toHex } from "@vedette/crypto";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelHash } from "../identity/channelHash.js";
import { equalPar } from "../identity/equal.js";
import { bitSetOf, singleBit } from "../model/BitSet.js";
import {
  EBinary,
  EList,
  EmptyExpr,
  ETuple,
  EUnary,
  GBool,
  GByteArray,
  GInt,
  GString,
  New,
  nil,
  Par,
  Send,
} from "../model/Par.js";
import {
  BindPattern,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
} from "../model/Tagged.js";
import { GDeployerId, GDeployId, GPrivate, sysAuthToken } from "../model/Unforgeable.js";
import { freeVar } from "../model/Var.js";
import { rnodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { sortPar } from "../order/sortPar.js";
import { anyTerm } from "../testing/anyTerm.js";
import { DecodeError } from "./DecodeError.js";
import { decodePar } from "./decode.js";
import { decodeBindPattern, decodeContinuation, decodeListParWithRandom } from "./decodeTagged.js";
import { encodePar } from "./encode.js";
import { encodeBindPattern, encodeContinuation, encodeListParWithRandom, sizeOfBindPattern } from "./encodeTagged.js";
import { sizeOfPar } from "./size.js";

const noBits = bitSetOf([]);

function int(value: bigint): Par {
  return Par.of({ exprs: [new GInt(value)] });
}

function text(value: string): Par {
  return Par.of({ exprs: [new GString(value)] });
}

const injections = new Map([
  ["rho:rchain:deployId", Par.of({ unforgeables: [new GDeployId(fromHex("aa"))] })],
  ["rho:rchain:deployerId", Par.of({ unforgeables: [new GDeployerId(fromHex("bb"))] })],
]);

const publicKey = fromHex(
  "0470256c078e105d2958b9cf66f2161d83368f483c0219790277fb726a459be7f56a9a48bbecf72bcaed6a3515bd0a144faf6a6a8de8f6c9b3b7dff297eb371f28",
);

describe("the bytes of chapter 20 §15.5 and §15.8", () => {
  test.each<[string, Par, string, string?]>([
    ["Nil", nil, "", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"],
    ["0", int(0n), "2a021000", "c4b32d07097d331cd0ac880949c945d2a4f7b259217305de11d6a913552dd096"],
    ["GInt(-1)", int(-1n), "2a021001", "e180e1e9eb998b020952590147c163454c9a62e6a3e42fcba99899e18549a774"],
    ["-1", Par.of({ exprs: [new EUnary("ENeg", int(1n))] }), "2a0832060a042a021002"],
    ["2^63 - 1", int(2n ** 63n - 1n), "2a0b10feffffffffffffffff01"],
    ["false", Par.of({ exprs: [new GBool(false)] }), "2a020800"],
    ['""', text(""), "2a021a00"],
    ["byte array", Par.of({ exprs: [new GByteArray(fromHex("00ff"))] }), "2a05ca010200ff"],
    ["[]", Par.of({ exprs: [new EList([], noBits, false, undefined)] }), "2a03a20100"],
    [
      "Set(2, 1, 2)",
      Par.of({ exprs: [makeSet([int(2n), int(1n), int(2n)], noBits, false, undefined, rnodeAtoms)] }),
      "2a0fb2010c0a042a0210020a042a021004",
    ],
    [
      "{Nil : Nil}",
      Par.of({ exprs: [makeMap([{ key: nil, value: nil }], noBits, false, undefined, rnodeAtoms)] }),
      "2a05ba01020a00",
    ],
    ["1 + 2", Par.of({ exprs: [new EBinary("EPlus", int(1n), int(2n))] }), "2a0e4a0c0a042a02100212042a021004"],
    ["@Nil!(Nil)", Par.of({ sends: [new Send(nil, [nil], false, noBits, false)] }), "0a021200"],
    ["GPrivate", Par.of({ unforgeables: [new GPrivate(fromHex("0102"))] }), "3a060a040a020102"],
    [
      "GSysAuthToken",
      Par.of({ unforgeables: [sysAuthToken] }),
      "3a022200",
      "e03760038f0addd8717a07e3e1e8aa0e9240fef7e0954550db5fbeed7792daeb",
    ],
    [
      "new with injections",
      Par.of({ news: [new New(1, nil, [], injections, noBits)] }),
      "22440802221e0a1372686f3a72636861696e3a6465706c6f79496412073a0512030a01aa22200a1572686f3a72636861696e3a6465706c6f796572496412073a051a030a01bb",
      "c9953f7af6c507b64c79e59ffe9c24f4472d6a90eb1cf4b26354a53f304df988",
    ],
    [
      "signed registry tuple",
      Par.of({
        exprs: [
          new ETuple(
            [int(1559156452968n), Par.of({ exprs: [new GByteArray(publicKey)] }), int(2n ** 63n - 1n)],
            noBits,
            false,
          ),
        ],
      }),
      "2a65aa01620a092a0710d0b9bbcfe05a0a462a44ca01410470256c078e105d2958b9cf66f2161d83368f483c0219790277fb726a459be7f56a9a48bbecf72bcaed6a3515bd0a144faf6a6a8de8f6c9b3b7dff297eb371f280a0d2a0b10feffffffffffffffff01",
    ],
  ])("%s", (_, par, bytes, hash) => {
    expect(toHex(encodePar(par))).toBe(bytes);
    expect(sizeOfPar(par)).toBe(bytes.length / 2);
    if (hash !== undefined) expect(toHex(channelHash(par))).toBe(hash);
    expect(toHex(encodePar(decodePar(fromHex(bytes))))).toBe(bytes);
  });
});

test("a Par with free variables only is left out where it is embedded, and written in a list", () => {
  const onlyFree = Par.of({ locallyFree: singleBit(3) });
  const send = new Send(onlyFree, [onlyFree], false, noBits, false);
  expect(toHex(encodePar(Par.of({ sends: [send] })))).toBe("0a0512034a0108");
});

test("half a surrogate pair is written as a question mark", () => {
  expect(toHex(encodePar(text("a\ud83d")))).toBe("2a041a02613f");
  expect(toHex(encodePar(text("\ude00\u{1f600}é漢")))).toBe("2a0c1a0a3ff09f9880c3a9e6bca2");
});

test("integers are written in the fewest bytes over the whole range", () => {
  for (let bit = 0n; bit < 63n; bit += 1n) {
    for (const near of [-1n, 0n, 1n]) {
      for (const value of [2n ** bit + near, -(2n ** bit) + near]) {
        if (value < -(2n ** 63n) || value >= 2n ** 63n) continue;
        const [expr] = decodePar(encodePar(int(value))).exprs;
        expect(expr).toEqual(new GInt(value));
      }
    }
  }
  expect(toHex(encodePar(int(-(2n ** 63n))))).toBe("2a0b10ffffffffffffffffff01");
});

test("any sorted term comes back from its bytes, with the flags of its free variables", () => {
  fc.assert(
    fc.property(anyTerm(), (unsorted) => {
      const par = sortPar(unsorted);
      const bytes = encodePar(par);
      expect(bytes.length).toBe(sizeOfPar(par));
      const decoded = decodePar(bytes);
      expect(equalPar(decoded, par)).toBe(true);
      expect(toHex(encodePar(decoded))).toBe(toHex(bytes));
    }),
    { numRuns: runs(50, 300) },
  );
});

test("parts that terms share are written the same way however often", () => {
  fc.assert(
    fc.property(anyTerm().map(sortPar), fc.nat(4), (part, repeats) => {
      const shared: Par[] = new Array(repeats + 1).fill(part);
      const fresh = shared.map(() => decodePar(encodePar(Par.of({ ...part }))));
      for (const length of [1, shared.length, shared.length]) {
        const list = (items: readonly Par[]): Par =>
          Par.of({ exprs: [new EList([...items.slice(0, length), nil], noBits, false, undefined)] });
        expect(toHex(encodePar(list(shared)))).toBe(toHex(encodePar(list(fresh))));
      }
    }),
    { numRuns: runs(25, 100) },
  );
});

test("what goes with a term in the tuple space comes back from its bytes", () => {
  const randomState = fromHex("0102");
  fc.assert(
    fc.property(anyTerm().map(sortPar), anyTerm().map(sortPar), (first, second) => {
      const pattern = encodeBindPattern(new BindPattern([first, second], freeVar(1), 2));
      expect(sizeOfBindPattern(decodeBindPattern(pattern))).toBe(pattern.length);
      expect(encodeBindPattern(decodeBindPattern(pattern))).toEqual(pattern);
      const list = encodeListParWithRandom(new ListParWithRandom([first, second], randomState));
      expect(encodeListParWithRandom(decodeListParWithRandom(list))).toEqual(list);
      const continuation = encodeContinuation(new ParContinuation(new ParWithRandom(first, randomState)));
      expect(encodeContinuation(decodeContinuation(continuation))).toEqual(continuation);
    }),
    { numRuns: runs(15, 50) },
  );
  expect(toHex(encodeContinuation(new SystemContinuation(0n)))).toBe("1000");
  expect(decodeContinuation(fromHex("1005"))).toMatchObject({ kind: "SystemContinuation", bodyRef: 5n });
  expect(encodeContinuation(emptyContinuation).length).toBe(0);
  expect(decodeContinuation(fromHex("")).kind).toBe("EmptyContinuation");
});

describe("bytes from outside", () => {
  test("occurrences of one embedded field are merged, of a oneof the last member counts", () => {
    // A send with a channel that comes twice: `1` and `2`.
    expect(toHex(encodePar(decodePar(fromHex("0a0c0a042a0210020a042a021004"))))).toBe("0a0a0a082a0210022a021004");
    // An expression that is an integer, then a string.
    expect(toHex(encodePar(decodePar(fromHex("2a0510021a0161"))))).toBe("2a031a0161");
    expect(decodePar(fromHex("2a00")).exprs[0]).toBeInstanceOf(EmptyExpr);
  });

  test("unknown fields are passed over", () => {
    expect(toHex(encodePar(decodePar(fromHex("2a021002a00601a1060000000000000000a20601ffa306a00601a406"))))).toBe(
      "2a021002",
    );
    expect(() => decodePar(fromHex("a306ac06"))).toThrow(DecodeError);
  });

  test.each([
    ["0a", "Term bytes end too early: what starts at byte 1 is incomplete"],
    ["2a021a05", "Term bytes end too early: what starts at byte 3 is incomplete"],
    ["00", "Term bytes are malformed at byte 0: no field can start there"],
    ["0f", "Term bytes are malformed at byte 1: no field can start there"],
    ["50ffffffffffffffffffff01", "Term bytes are malformed at byte 1: the varint is longer than 10 bytes"],
    ["2a041a02c328", "Term bytes are malformed at byte 4: the text is not valid UTF-8"],
  ])("%s is refused", (bytes, message) => {
    expect(() => decodePar(fromHex(bytes))).toThrow(
      new DecodeError({ code: "tooDeep" }).constructor as typeof DecodeError,
    );
    expect(() => decodePar(fromHex(bytes))).toThrow(message);
  });

  test("limits on size and number of nodes hold", () => {
    const bytes = encodePar(Par.of({ exprs: Array.from({ length: 100 }, () => new GInt(1n)) }));
    expect(() => decodePar(bytes, { maxSizeBytes: 399, maxNodes: 1000 })).toThrow(
      "Term has 400 bytes, more than the limit of 399",
    );
    expect(() => decodePar(bytes, { maxSizeBytes: 400, maxNodes: 99 })).toThrow(
      "Term has more than the limit of 99 nodes",
    );
    expect(decodePar(bytes, { maxSizeBytes: 400, maxNodes: 100 }).exprs.length).toBe(100);
  });

  test("a term nested beyond the stack is refused", () => {
    let bytes = new Uint8Array(0);
    const layers: Uint8Array[] = [];
    let size = 0;
    for (let depth = 0; depth < 200_000; depth += 1) {
      const head = [0x0a, ...varint(size + 1 + varint(size).length), 0x0a, ...varint(size)];
      layers.push(Uint8Array.from(head));
      size += head.length;
    }
    bytes = new Uint8Array(size);
    let position = 0;
    for (const layer of layers.reverse()) {
      bytes.set(layer, position);
      position += layer.length;
    }
    expect(() => decodePar(bytes)).toThrow("Term is nested too deeply");
  });

  test("damaged bytes give a term or a DecodeError, nothing else", () => {
    fc.assert(
      fc.property(anyTerm(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), (par, damages) => {
        const bytes = encodePar(par).slice();
        for (const [place, value] of damages) if (bytes.length > 0) bytes[place % bytes.length] = value;
        try {
          encodePar(decodePar(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: runs(80, 500) },
    );
  });
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

test("integers around every power of two come back from their bytes", () => {
  for (let power = 0n; power < 64n; power += 1n) {
    for (const delta of [-2n, -1n, 0n, 1n]) {
      for (const value of [(1n << power) + delta, -(1n << power) + delta]) {
        const expected = BigInt.asIntN(64, value);
        expect(decodePar(encodePar(int(expected))).exprs).toEqual([new GInt(expected)]);
      }
    }
  }
});
