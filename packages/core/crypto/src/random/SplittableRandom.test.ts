import { describe, expect, test } from "vitest";
import { ByteWriter } from "../bytes/ByteWriter.js";
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

describe("rnode's values", () => {
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

describe("rnode's serialized states", () => {
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

describe("rnode's names", () => {
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

  test("of genesis deploys and of the registry's bootstrap", () => {
    const nonNegativeNumber = SplittableRandom.fromSeed(
      fromHex(
        "0a4104e1559d809924e564dce57e34646e155b144d2a504ce7ee519d7a5108fd42f1038d08d745e5ea21cb53d6aa7c7174a768fa373207a83bc947a20c6a02ece7a60e1890b9d1a7b02d",
      ),
    );
    expect(nextHex(nonNegativeNumber)).toBe("61657f51076320deb7358dfcfc1f703be818ee08876c8b8efbfdf6e9d3020bcd");
    expect(nextHex(nonNegativeNumber)).toBe("78a2588671230884044c801f5f9675defb420460d6895b809ee8cd6f6cfff5d3");
    const vaultKey =
      "040f035630a5d2199184890b4b6b83440c842da0b6becca539f788f7b35d6e873561f673cd6ebe2e32236398a86f29dad992e8fba32534734300fcc5104bcfea0e";
    const timestamp = new ByteWriter().varint(1559156183943).finish();
    const vault = SplittableRandom.fromSeed(fromHex(`0a41${vaultKey}18${toHex(timestamp)}`));
    const names = Array.from({ length: 11 }, () => nextHex(vault));
    expect([names[0], names[9], names[10]]).toEqual([
      "263f45f2ca50669ef4011a57d3a10270c1250d52ed99f212a6332d8ffe57d3be",
      "f43babf465fe04a0be8d1ef3b543f2203fd287a1d6a9fb290c2ca13127210219",
      "72d0f333c719323406901bca34c2935e4d92c31402fa80a2c273422e923af550",
    ]);
    const bootstrap = SplittableRandom.fromSeed(
      utf8(
        "Decentralization is based on the simple notion that it is easier to macrobull***t than microbull***t. Decentralization reduces large structural asymmetries.",
      ),
    );
    const parts = [0, 1, 2].map((index) => bootstrap.splitByte(index));
    expect(parts.map(nextHex)).toEqual([
      "6df456c323296d9db2ce73dbea5b78a6fff1c1913277c07483baa325ee0bfcba",
      "d7b9e0539e1556ce6197cc696f93ab1dd16fc940f9b053e839e3d6fbf9223ca2",
      "feff54a12a593027cd74235f8dc9fd84768e59f3ac3e0253c8bc3809cd9ad4a4",
    ]);
    expect(toHex(parts[0]!.toBytes())).toBe(
      "01000000000000000000000000000000c1f94d4acd8cdd3c656b94507fdcfade315f3361a9ce51e7221e8aa41a7e63bcf0aa6ac66d9fd52056fd8acf159ce3ea6faccddcc265595638d1d7712296139d0001000000000000000000000000000001200023197469f9a8cacc87f7b3f2c8539c3f408c7089652457a0ff1b863a30a0c9d3",
    );
  });

  test("of the payment of a deploy", () => {
    const seed = SplittableRandom.fromSeed(Uint8Array.from({ length: 70 }, (_, index) => index));
    expect(nextHex(seed.splitByte(0))).toBe("e57f0986e47294070d5da2c4166169ab22ba87bded6b300dfbe3007036d80abc");
    expect(nextHex(seed.splitByte(1))).toBe("dbc13936bcb1c9c8e5328e7ed5d9e86828eb0e340e24dff79631bfc36247d766");
  });

  test("of system deploys", () => {
    const validatorKey =
      "048730249434a3a1c8c1f51fdb27c23b40d5e2a82cff9f255999cd6e40d1bd283952680e02c13cbba4767e45bc44869236d0cf48e3df2458329e3469543758d512";
    const first = SplittableRandom.fromSeed(fromHex(`01000000${validatorKey}01000000`));
    const [closeBlock, slash] = [first.splitByte(0), first.splitByte(1)];
    expect([nextHex(closeBlock), nextHex(closeBlock)]).toEqual([
      "422afb0eb8b7b0d3e44a3498b4b462970184333dac0b04cbced23110e92e09cd",
      "42bd2afcf55939c4fb9f07de8e97169efcaa60607a31ac943cd3d1d70ed830b6",
    ]);
    expect([nextHex(slash), nextHex(slash)]).toEqual([
      "650031ae6d821c3df93e7241dfeb3455ea048c9a8f2850b3ce06db8f8d635c95",
      "0d77b6c99cf1cd4bfc90d23f1fa2352d1bc7963ae9b0494a696d5c8e27438d62",
    ]);
    const deploy = SplittableRandom.fromSeed(fromHex(`0a41${validatorKey}1880d095ffbc31`));
    expect(nextHex(deploy)).toBe("1f438ac8c815fd03cb32c219d1c9d6f17c01defef30dfd0ba2549fb885ea30c9");
    const posKey =
      "047b43d6548b72813b89ac1b9f9ca67624a8b372feedd71d4e2da036384a3e1236812227e524e6f237cde5f80dbb921cac12e6500791e9a9ed1254a745a816fe1f";
    const seed = SplittableRandom.fromSeed(fromHex(`01000000${posKey}07000000`));
    expect(nextHex(seed.splitByte(0))).toBe("a5b0328924755f0b234557265ea5cb0ce50ba5d8ead337b0f11a9e8c3a0ddc41");
    expect(nextHex(seed.splitByte(1))).toBe("75b87a7e857d4d629ccbd6a8d6e6d9106b7bbe96aa22870597c83c4ecfdffa1b");
  });
});
