import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../bytes/hex.js";
import { SplittableRandom } from "./SplittableRandom.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const empty = () => SplittableRandom.fromSeed(new Uint8Array());
const nextHex = (random: SplittableRandom) => toHex(random.next());
const manySplits = (start: SplittableRandom) => {
  let random = start;
  for (let i = 0; i <= 112; i++) random = random.splitByte(i);
  return random;
};
const afterOneNext = (random: SplittableRandom) => {
  random.next();
  return random;
};
const withLowCounterFull = () => {
  const bytes = empty().toBytes().slice();
  bytes.fill(0xff, 0, 8);
  return SplittableRandom.fromBytes(bytes);
};
const manyChildren = () => {
  const children: SplittableRandom[] = [];
  for (let i = 0; i < 20; i += 5) {
    for (let j = 0; j < 255; j += 5) {
      for (let k = 0; k < 255; k++) children.push(empty().splitByte(i).splitByte(j).splitByte(k));
    }
  }
  return children;
};
const longSeed =
  "Sed ut perspiciatis unde omnis iste natus error sit voluptatem accusantium doloremque laudantium, totam rem aperiam, eaque ipsa ";

const recorded: readonly (readonly [string, () => SplittableRandom, string, string])[] = [
  [
    "of the empty seed",
    empty,
    "52884e9cfaf738709d271e9c0268f05964395678d9ccd61b187d67224a464230",
    "cfa2ebb91185e9764a5aef6c7f5a6756cfe0f48a33c5bfabffdacac55d32f24a",
  ],
  [
    "split by a short",
    () => empty().splitShort(0x6487),
    "745ce0f59aa7ebadc31c097126ac85870c3364b561d1d81935eb01ef5968d4b3",
    "2d7bd219e4ce1e18e38c06eecdf17098ed49d66890086d19543a84fe88d80d67",
  ],
  [
    "whose low counter word is full",
    withLowCounterFull,
    "b63ea0e23d853977e02707364c753bd414c4828e294c1b0c39d046bacf18f5cf",
    "4b850fc7d0a930cd89a8907ccee22f41941bd896127e71301eba137a347b131f",
  ],
  [
    "whose low counter word has run over",
    () => afterOneNext(afterOneNext(withLowCounterFull())),
    "a913716961120edbbb9f08cc513a40321de334aa99a6991f97eff93b799f9cab",
    "be14efe796e8a10a8bbc55e4691f8eeb71df5dc37b0b0b79133150b8cc90533a",
  ],
  [
    "split 113 times",
    () => manySplits(empty()),
    "0f6ccee70daf946d23361a92e672515898a287456c38517bd92bb0925ee18103",
    "7d9a1831ce7f42b818c61223f709d55dd9cf310b01e19e2526d2d13e1b9ed61c",
  ],
  [
    "split 113 times after one value",
    () => manySplits(afterOneNext(empty())),
    "1fa2af2fdc0521dacc1b06d0dc9ee729075283c7e2ba8df7b637bd05134e2d30",
    "9c7a9b1f04907c73263a81178540a5d7e3102fe260a9f15b80ff91f87de2039b",
  ],
  [
    "of a short seed",
    () => SplittableRandom.fromSeed(utf8("Hello, World!")),
    "34c06b6f6907595709c44a1c2f4940210d99b04302937a88e14a5c5e2d439221",
    "7c3c57f0220fa003ad9c10fd785001c11f2b626f0d5da8367499200e10166276",
  ],
  [
    "of a seed of exactly one block",
    () => SplittableRandom.fromSeed(utf8(longSeed)),
    "459691c149f10c8cf45a4f84421d89e97228b91e046f7afbcf3a4131216c538b",
    "1e676c4ad57a46408312a5209e8498d43023e43ab0bfabfc57a535663dfa3918",
  ],
  [
    "merged from two",
    () => SplittableRandom.merge([empty().splitByte(0), empty().splitByte(1)]),
    "ce190f4283d4b11653cb78ee8fbc68a5b8cb62511a1f2ed3e836400e62144fa9",
    "460e913fb6f2250fb1ae2cd6ceeb5501b0d83b29abd538d3508ec6845904342d",
  ],
  [
    "merged from 52020",
    () => SplittableRandom.merge(manyChildren()),
    "ceff4f6065e6b508b46f4c7b687c3b67eb3bcdcbb52a4ad098e481876b745156",
    "d30832a104feffed4502542768e8f3b05d12593ba29aacdc086c4d1db405e4e6",
  ],
];

describe("the reference's values", () => {
  test.each(recorded)("of a generator %s", (_, make, first, second) => {
    const random = make();
    expect(nextHex(random)).toBe(first);
    expect(nextHex(random)).toBe(second);
  });

  test("a split drops the unused half", () => {
    const expected = "a424de210a649669ff91976fdd81e559b3b5c0da768cbcbc30d25ee86e3e07b3";
    const random = afterOneNext(empty());
    expect(nextHex(random.splitByte(0))).toBe(expected);
    expect(nextHex(SplittableRandom.fromBytes(random.toBytes()).splitByte(0))).toBe(expected);
    expect(nextHex(afterOneNext(random).splitByte(0))).toBe(expected);
  });
});

const chainOfEmpty =
  "48c9bc0c67e6096a3ba7ca8485ae67bb2bd894fe72f36e3cf1361d5f3af54fa5" +
  "d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b";
const zeros = (count: number) => "00".repeat(count);
const mergeOfFive = () => SplittableRandom.merge([0, 1, 2, 3, 4].map((i) => empty().splitByte(i)));

describe("the reference's serialized states", () => {
  const states: readonly (readonly [string, () => SplittableRandom, string])[] = [
    ["of the empty seed", empty, zeros(16) + chainOfEmpty + zeros(18)],
    [
      "after one value",
      () => afterOneNext(empty()),
      `01${zeros(15)}${chainOfEmpty}${zeros(16)}0020cfa2ebb91185e9764a5aef6c7f5a6756cfe0f48a33c5bfabffdacac55d32f24a`,
    ],
    ["after a split", () => empty().splitByte(42), `${zeros(16)}${chainOfEmpty}${zeros(16)}01002a`],
    [
      "after a merge of five and one value",
      () => afterOneNext(mergeOfFive()),
      `01${zeros(15)}fc0729860a0cdedb8255a5176732b383f85feb651897a72d3e18304445d96643a631f2e5373d449ce1fd4f80ec37108decee4d3edb48685b1d5326f1c901313500010000000000000000000000000000` +
        "00209e766609d300dbef21ec870e05363097ccc31d746f6e33d7efe723383906d67c",
    ],
  ];
  test.each(states)("%s", (_, make, expected) => {
    const bytes = make().toBytes();
    expect(toHex(bytes)).toBe(expected);
    expect(toHex(SplittableRandom.fromBytes(bytes).toBytes())).toBe(expected);
  });

  test("the first value of a merge of five", () => {
    expect(nextHex(mergeOfFive())).toBe("0883b13b55c5a8e6b9e9402bd4e253bf7e088916e94695d6979d5381e26e4785");
  });

  test("no bytes are the generator of the empty seed", () => {
    expect(SplittableRandom.fromBytes(new Uint8Array()).equals(empty())).toBe(true);
  });
});

describe("the reference's names", () => {
  test("of a deploy by key 04 11…11", () => {
    const random = SplittableRandom.fromSeed(fromHex(`0a4104${"11".repeat(64)}1880d095ffbc31`));
    expect(nextHex(random)).toBe("3df6013cb65051cd56347dde08f46906cc6b628fb1b14c2653c2aa646507c14f");
    expect(nextHex(random)).toBe("2197b46e5723e9bd465868f35a79ad715a1a1e9c2812b422033462d7e3509c5a");
    expect(nextHex(random)).toBe("f975fa925b2b5d320a469593dcaf90780c88fdffeb7a56a5977e4caba221f7d8");
  });

  test("of the body that a send and a receive of this deploy meet in", () => {
    const random = SplittableRandom.fromSeed(fromHex(`0a4104${"11".repeat(64)}1880d095ffbc31`));
    random.next();
    const send = random.splitByte(0);
    const receive = random.splitByte(1);
    const chain =
      "39c82e6c90080ded889276bf570b6132498f549d553771bf702f65fd967b946d" +
      "66afea171fef80534ded6ee56b272316df1e8e23923d27416482ec4723b5cf75";
    expect(toHex(send.toBytes())).toBe(`01${zeros(15)}${chain}80${zeros(15)}010000`);
    expect(toHex(receive.toBytes())).toBe(`01${zeros(15)}${chain}80${zeros(15)}010001`);
    const body = SplittableRandom.merge([receive, send]);
    expect(toHex(body.toBytes())).toBe(
      `${zeros(16)}06dae5d1c6722e96e810d8608254aa5510a9aaaf617e4a86f4cd9f5922fa0eae1412477f2b0d9c0ccf8635dd176f41190005c763007876315c31b885aaef820a80${zeros(17)}`,
    );
    expect(nextHex(body)).toBe("9eb0fc980d8f02663be17221dbddc0bdbe47d146eb7c506586cb618f7fff45e8");
  });

  test("of system deploys", () => {
    const posKey =
      "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f";
    const seed = SplittableRandom.fromSeed(fromHex(`01000000${posKey}07000000`));
    expect(nextHex(seed.splitByte(0))).toBe("a5b0328924755f0b234557265ea5cb0ce50ba5d8ead337b0f11a9e8c3a0ddc41");
    expect(nextHex(seed.splitByte(1))).toBe("75b87a7e857d4d629ccbd6a8d6e6d9106b7bbe96aa22870597c83c4ecfdffa1b");
  });
});
