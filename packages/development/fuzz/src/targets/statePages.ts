import { blake2b256, toHex } from "@vedette/crypto";
import { decodeStoreItems, encodeStoreItems, type StoreItems, WireError } from "@vedette/protocol";
import { ListParWithRandom } from "@vedette/terms";
import {
  exportItems,
  findMissing,
  HistoryError,
  importItems,
  memoryStateStore,
  type SpaceDialect,
  StatePageError,
} from "@vedette/tuplespace";
import { buildTree, element, int, name } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs } from "../driver/Target.js";
import { anyForm } from "./tupleSpace.js";

/** The changes that a peer makes to the bytes of a page, or to its lists. */
const anyLie = fc.oneof(
  fc.record({ kind: fc.constant("byte" as const), at: fc.nat(), value: fc.nat({ max: 255 }) }),
  fc.record({
    kind: fc.constantFrom("drop" as const, "double" as const, "swap" as const, "move" as const),
    at: fc.nat(),
  }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }),
);

const anyTransfer = fc.record({
  form: anyForm,
  /** Keys of data, as few distinct bytes, so that the tree has every form. */
  keys: fc.uniqueArray(
    fc
      .array(fc.constantFrom(0, 1, 7, 255), { minLength: 4, maxLength: 4 })
      .map((bytes) => Uint8Array.from([0, ...bytes])),
    { selector: toHex, minLength: 1, maxLength: 60 },
  ),
  distinctValues: fc.integer({ min: 1, max: 60 }),
  take: fc.integer({ min: 1, max: 20 }),
  lies: fc.array(fc.record({ page: fc.nat({ max: 5 }), lie: anyLie }), { maxLength: 3 }),
});

export const statePages = propertyTarget({
  name: "state-pages",
  about: "a state is taken over whole page by page; a page other than the requested one is refused and leaves no trace",
  cost: "expensive",
  files: ["tuplespace/statePages/", "protocol/packet/statePackets.js"],
  values: anyTransfer,
  showValue: ({ form, ...others }) => `${form.name}: ${fc.stringify(others)}`,
  check: ({ form, keys, distinctValues, take, lies }) => {
    const { source, root } = stateOf(form.space, keys, distinctValues);
    const target = memoryStateStore(form.space);
    let startPath: StoreItems["startPath"] = [element(root)];
    for (let page = 0; page < 200; page += 1) {
      const honest = exportItems(source, startPath, { skip: 0, take });
      // Quirk 30 §6.7(1): a page that would hold one leaf and no node is empty, and nothing is answered.
      if (honest === undefined) break;
      for (const { lie } of lies.filter((one) => one.page === page)) tryLie(target, { startPath, take }, honest, lie);
      const { nextPath } = importItems(target, { startPath, take }, decodeStoreItems(encodeStoreItems(honest)));
      if (nextPath === undefined) break;
      startPath = nextPath;
    }
    for (const hash of findMissing(target, root).nodes) repair(source, target, hash);
    must(findMissing(target, root).nodes.length === 0, "a state is whole when its last page is there");
  },
});

/** Parts that are missing by rule are requested in another way. @spec 30 §6.7(1) */
function repair(
  source: ReturnType<typeof memoryStateStore>,
  target: ReturnType<typeof memoryStateStore>,
  hash: Uint8Array,
) {
  const startPath = [element(hash)];
  const page = exportItems(source, startPath, { skip: 0, take: 750 });
  must(page !== undefined, "a missing node can be requested");
  importItems(target, { startPath, take: 750 }, page);
}

function stateOf(form: SpaceDialect, keys: readonly Uint8Array[], distinctValues: number) {
  const source = memoryStateStore(form);
  const leaves = keys.map((_, index) => {
    const content = new ListParWithRandom([int(index % distinctValues)], blake2b256(Uint8Array.of(1)));
    const event = form.produceEvent(form.channelHash(name(1)), content, false);
    const { bytes: value } = form.leafOfData([form.datum(content, false, event)]);
    return { key: form.leafHash(value), value };
  });
  const { root, newNodes } = buildTree(keys.map((key, index) => [key, leaves[index]!.key] as const));
  source.putItems(
    newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes })),
    leaves,
  );
  return { source, root };
}

type Lie = typeof anyLie extends fc.Arbitrary<infer T> ? T : never;

function tryLie(
  target: ReturnType<typeof memoryStateStore>,
  request: { readonly startPath: StoreItems["startPath"]; readonly take: number },
  honest: StoreItems,
  lie: Lie,
): void {
  let page: StoreItems;
  try {
    page = decodeStoreItems(liedBytes(honest, lie));
  } catch (error) {
    refusedAs(error, WireError);
    return;
  }
  try {
    importItems(target, request, page);
  } catch (error) {
    refusedAs(error, StatePageError, HistoryError);
    return;
  }
  const { form } = target;
  const keysOf = (list: StoreItems["dataItems"]) => {
    const keys = [...new Set(list.map(({ key }) => toHex(key)))];
    return (form.pagesAreSets ? keys.sort() : keys).join();
  };
  must(
    keysOf(page.historyItems) === keysOf(honest.historyItems),
    "a page that is taken has the nodes of the honest one",
  );
  const isItself = "an item of an accepted page matches its key";
  for (const { key, value } of page.historyItems) must(toHex(blake2b256(value)) === toHex(key), isItself);
  for (const { key, value } of page.dataItems) must(toHex(form.leafHash(value)) === toHex(key), isItself);
  const leaves = new Set(honest.dataItems.map(({ key }) => toHex(key)));
  must(
    page.dataItems.every(({ key }) => leaves.has(toHex(key))),
    "a page that is taken has no other leaves",
  );
}

function liedBytes(honest: StoreItems, lie: Lie): Uint8Array {
  const changed = (list: StoreItems["dataItems"]) => {
    const copy = list.slice();
    const at = lie.at % (copy.length + 1);
    if (lie.kind === "drop") copy.splice(at, 1);
    if (lie.kind === "double" && copy[at] !== undefined) copy.splice(at, 0, copy[at]);
    if (lie.kind === "swap") copy.reverse();
    return copy;
  };
  const isMoved = lie.kind === "move";
  const bytes = encodeStoreItems({
    ...honest,
    historyItems: isMoved ? honest.dataItems : lie.at % 2 === 0 ? changed(honest.historyItems) : honest.historyItems,
    dataItems: isMoved ? honest.historyItems : lie.at % 2 === 1 ? changed(honest.dataItems) : honest.dataItems,
  }).slice();
  if (lie.kind === "byte") bytes[lie.at % bytes.length] = lie.value;
  return lie.kind === "cut" ? bytes.subarray(0, lie.at % bytes.length) : bytes;
}
