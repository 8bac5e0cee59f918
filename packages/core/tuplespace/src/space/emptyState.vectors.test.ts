import { fromHex, SplittableRandom, toHex } from "@vedette/crypto";
import {
  BindPattern,
  boundVar,
  channelHash,
  EVar,
  encodeContinuation,
  encodePar,
  Par,
  ParContinuation,
  ParWithRandom,
  Send,
  singleBit,
} from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { channelsHash } from "../event/channelsHash.js";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { checkItems } from "../statePages/checkItems.js";
import { exportItems } from "../statePages/exportItems.js";
import { element } from "../statePages/path.js";
import { freePattern, int, name, simpleMatch, text } from "../testing/simpleMatch.js";
import { PlaySpace } from "./PlaySpace.js";

const seed = new TextEncoder().encode(
  "Decentralization is based on the simple notion that it is easier to macrobull***t than microbull***t. Decentralization reduces large structural asymmetries.",
);
const pattern = new BindPattern([freePattern], undefined, 1);

/** Leaves the state that `new x in { for (y <- CH) { y!(CH) } }` leaves. */
function consumeBootstrap(space: PlaySpace, index: number): void {
  const channel = name(14 + index);
  const random = SplittableRandom.fromSeed(seed).splitByte(index);
  random.next();
  const chan = Par.of({ exprs: [new EVar(boundVar(0))], locallyFree: singleBit(0) });
  const body = Par.of({ sends: [new Send(chan, [channel], false, new Uint8Array(0), false)] });
  const continuation = new ParContinuation(new ParWithRandom(body, random.toBytes()));
  expect(space.consume([channel], [pattern], continuation, false, [])).toBeUndefined();
}

function emptyState() {
  const store = memoryStateStore();
  const space = new PlaySpace(store, simpleMatch, emptyRoot);
  for (const index of [0, 1, 2]) consumeBootstrap(space, index);
  const parts = {
    leafHashes: [14, 15, 16].map((id) => toHex(space.continuations([name(id)])[0]!.source.hash)),
    encoding: toHex(space.continuations([name(14)])[0]!.encoding),
    continuation: toHex(encodeContinuation(space.continuations([name(14)])[0]!.continuation)),
  };
  const { root } = space.checkpoint();
  return { store, root, parts };
}

describe("hashes of 30 §V.1", () => {
  test.each([
    [text("2"), "2a031a0132", "acb7b4a47511d1817d24cbca25a406c359ce702afbd34e05ee9a9a2542ca5b59"],
    [int(42), "2a021054", "6df47bfda6b6b61fab5a9bb7f555f644a8d63503574e5a56639c21e63444d2a2"],
    [int(5), "2a02100a", "40661543f3b090206c60411bfc5f4e0c5b2d72bd91706e8c0cbf04be7facbc81"],
    [text("5"), "2a031a0135", "56e9f763ea6409b1df64c2df2515045401abbac55ba6e1af2cbcba5878870f22"],
    [name(0), "3a050a030a0100", "a078543daf2bd5b92af5f2d4eb075e61fc8aede668ed83ed162aa3c2f5d81840"],
  ])("channel %#", (channel, bytes, hash) => {
    expect(toHex(encodePar(channel))).toBe(bytes);
    expect(toHex(channelHash(channel))).toBe(hash);
  });

  test("lists of channels", () => {
    expect(toHex(channelsHash([int(5), text("5")].map(channelHash)))).toBe(
      "80f68250c01d664d227538e93b8ef4250a4324092f30cb75bef896fd8293031b",
    );
    expect(toHex(channelsHash([channelHash(name(0))]))).toBe(
      "4779aa99c89e01ade03768835d8e6b6e5d9288d8a57246e3ff93316352be450c",
    );
  });
});

describe("the empty state of 30 §V.2", () => {
  const { store, root, parts } = emptyState();

  test("has the events and encodings of the table", () => {
    expect(parts.leafHashes).toEqual([
      "bb5830b72e8f3ae0f868c2b45ce6bb6886cfb149a552c384d4c27bb20a99cf33",
      "ce1fceba1ea48356551eda585b6a21ccc33a5158d311b0deaa28eb6cb088a15f",
      "61a7c450f3b635684f13319e94aa41fc75e1bffc055b8819271e30fc0d12c607",
    ]);
    expect(parts.continuation.slice(0, 60)).toBe("0aa1010a190a170a0c2a079a01040a0208004a010112073a050a030a010e");
    expect(parts.continuation.endsWith("23197469f9a8cacc87f7b3f2c8539c3f408c7089652457a0ff1b863a30a0c9d3")).toBe(true);
    expect(parts.encoding).toHaveLength(272 * 2);
  });

  test("has the root and nodes of the table", () => {
    expect(toHex(root)).toBe("9619d9a34bdaf56d5de8cfb7c2304d63cd9e469a0bfc5600fd2f5b9808e290f1");
    expect(toHex(store.nodeBytes(root)!)).toBe(
      "01806bad7159c5aaa5ec9d2382b60818b4382ed68146ff4683f266db32bbc98f65fe0280c1e1b46684c518290c463db3fc0fd8daf1af2c38b82eb5ef6c79b9ccef7e3e11",
    );
  });

  test("has the leaves of the table", () => {
    const conts = fromHex("60375cca09be824e1d1c969767910bc7453e91f028896db21031e70281eea398");
    const joins = fromHex("c7421c8455fcd21301cb886bf76ad717087673b4df7a291fac1e6699adb0a451");
    expect(store.leafBytes(conts)).toHaveLength(293);
    expect(toHex(store.leafBytes(joins)!)).toBe(
      "0000000000000009c00000004000000000000006c00000004000000000000003c000000000000001ce814280c2804380",
    );
  });

  test.each([
    { start: "R", take: 750, nodes: "R C J", leaves: "c1 c2 c3 j1 j2 j3", last: "J" },
    { start: "J", take: 750, nodes: "J", leaves: "j1 j2 j3", last: "J" },
    { start: "R", take: 2, nodes: "R C", leaves: "", last: "R 01 01 C" },
    { start: "R 01 01 C", take: 2, nodes: "J", leaves: "c1 c2 c3 j1 j2 j3", last: "J" },
    { start: "R", take: 3, nodes: "R C J", leaves: "c1 c2 c3", last: "R 01 02 J" },
    { start: "R 01 02 J", take: 3, nodes: "", leaves: "j1 j2", last: "j2" },
  ])("is exported from [$start] in pages of $take as in §V.6", ({ start, take, nodes, leaves, last }) => {
    const startPath = pathOf(start);
    const page = exportItems(store, startPath, { skip: 0, take })!;
    expect(page.historyItems.map(({ key }) => toHex(key))).toEqual(hashesOf(nodes));
    expect(page.dataItems.map(({ key }) => toHex(key))).toEqual(hashesOf(leaves));
    expect(page.lastPath.map(({ hash }) => toHex(hash))).toEqual(pathOf(last).map(({ hash }) => toHex(hash)));
    const checked = checkItems({ startPath, take, ownNode: (hash) => store.findNode(hash), form: store.form }, page);
    expect(checked.missingLeaf === undefined ? undefined : toHex(checked.missingLeaf)).toBe(
      leaves === "j1 j2" ? hashesOf("j3")[0] : undefined,
    );
  });
});

const hashes: Readonly<Record<string, string>> = {
  R: "9619d9a34bdaf56d5de8cfb7c2304d63cd9e469a0bfc5600fd2f5b9808e290f1",
  C: "6bad7159c5aaa5ec9d2382b60818b4382ed68146ff4683f266db32bbc98f65fe",
  J: "c1e1b46684c518290c463db3fc0fd8daf1af2c38b82eb5ef6c79b9ccef7e3e11",
  c1: "9412e217320274798ec203f9c9d1ae5cd24fad96e7d14888707303e3f0209bff",
  c2: "2e2bc9383fb832027ee7bb8fb906bc7ab6f889668a1cbab439cbdff4de5392fa",
  c3: "60375cca09be824e1d1c969767910bc7453e91f028896db21031e70281eea398",
  j1: "1c5c2c488d9c8437006cbef760c69e39c481c566cdb0df778b65ededbec472e4",
  j2: "c7421c8455fcd21301cb886bf76ad717087673b4df7a291fac1e6699adb0a451",
  j3: "ea4f011842d40aa7687a2edab5c95b97a1d618cbd38b856d52d34add9aa83ed4",
};

function hashesOf(names: string): string[] {
  return names === "" ? [] : names.split(" ").map((one) => hashes[one]!);
}

/** `R 01 02 J` is the path to the node below the root's item 2; `R` the path of a root. */
function pathOf(names: string) {
  const parts = names.split(" ");
  if (parts.length === 1) return [element(fromHex(hashes[names]!))];
  const [root, length, prefix, last] = parts as [string, string, string, string];
  const zero = "00".repeat(31);
  const rest = ["00".repeat(32), "00".repeat(32), "00".repeat(32)];
  const path = [hashes[root]!, length + zero, prefix + zero, ...rest, hashes[last]!];
  return path.map((hash) => element(fromHex(hash)));
}
