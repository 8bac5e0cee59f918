import { fromHex, toHex } from "@vedette/crypto";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildTree } from "../testing/buildTree.js";
import { findLeaf } from "./findLeaf.js";
import { HistoryError } from "./HistoryError.js";
import { emptyNode, RadixNode } from "./RadixNode.js";
import { emptyRoot, type HistoryAction, type NodeReader, updateTree } from "./updateTree.js";

/** The tree's nodes in a map; remembers all that were ever made, as a store does. */
class NodeMap implements NodeReader {
  private readonly nodes = new Map<string, RadixNode>();

  apply(root: Uint8Array, actions: readonly HistoryAction[]): Uint8Array {
    const result = updateTree(this, root, actions);
    for (const { hash, node } of result.newNodes) this.nodes.set(toHex(hash), new RadixNode(node.bytes));
    return result.root;
  }

  node(hash: Uint8Array): RadixNode {
    const node = this.nodes.get(toHex(hash));
    if (node === undefined) throw new HistoryError({ code: "nodeMissing", hash });
    return node;
  }

  rootNode(root: Uint8Array): RadixNode {
    return this.nodes.get(toHex(root)) ?? emptyNode;
  }
}

const zeros = (count: number) => "00".repeat(count);
const values = ["11", "22", "33"].map((byte) => fromHex(byte.repeat(32)));
const keys = [zeros(33), `${zeros(32)}01`, `${zeros(16)}ff${zeros(16)}`].map(fromHex);
const vectors: readonly { content: readonly number[]; root: string; node: string }[] = [
  {
    content: [0],
    root: "39d95673226131887bdf06bc2f9b3d3bd150cba3e703bf2451c3b5b7132c2175",
    node: `0020${zeros(32)}${"11".repeat(32)}`,
  },
  {
    content: [0, 1],
    root: "ba76bf88c680db23d177efcf6a33f989b9c70ec66b3ded4792e661f3f1f3dfb1",
    node: `009f${zeros(31)}f6ee1978981cfe6831dffc1d6861a85974fb222971f9f8b60bf2461524ecf230`,
  },
  {
    content: [0, 1, 2],
    root: "b02cb841d6f1793f30b0bd24859130a109860e104ba322d67acfc3ee6ebf4674",
    node: `008f${zeros(15)}3df152e01043e74f6df1218828aa986f401eb3e6326ae2ebd0c542de6468a9bc`,
  },
  {
    content: [0, 2],
    root: "e1bcf7797633dd439475ecf152918dcd59b10a933bcf53445c20376edca8ad5b",
    node: `008f${zeros(15)}f25ba7bc727410324d5a7edd13e41727e48ff6a2872b6ad9cf55d895b3dec8d9`,
  },
];

describe("the vectors of 30 §V.4", () => {
  test.each(vectors)("keys $content", ({ content, root, node }) => {
    const built = buildTree(content.map((index) => [keys[index]!, values[index]!] as const));
    expect(toHex(built.root)).toBe(root);
    expect(toHex(built.newNodes.at(-1)!.node.bytes)).toBe(node);
  });

  test("deleting goes back the same way", () => {
    const nodes = new NodeMap();
    let root = nodes.apply(
      emptyRoot,
      keys.map((key, index) => ({ key, value: values[index]! })),
    );
    expect(toHex(root)).toBe(vectors[2]!.root);
    root = nodes.apply(root, [{ key: keys[1]!, value: undefined }]);
    expect(toHex(root)).toBe(vectors[3]!.root);
    root = nodes.apply(root, [{ key: keys[2]!, value: undefined }]);
    expect(toHex(root)).toBe(vectors[0]!.root);
    root = nodes.apply(root, [{ key: keys[0]!, value: undefined }]);
    expect(toHex(root)).toBe("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  });

  test("the documentation's example decodes", () => {
    const encoded = `0102ffff${zeros(31)}010280${"ff".repeat(32)}`;
    const node = new RadixNode(fromHex(encoded));
    expect(node.count).toBe(2);
    expect(node.isPointerAt(node.offsetOf(1))).toBe(false);
    expect(toHex(node.prefixAt(node.offsetOf(1)))).toBe("ffff");
    expect(node.isPointerAt(node.offsetOf(2))).toBe(true);
    expect(node.offsetOf(3)).toBe(-1);
  });
});

// Few byte values, so that keys often share prefixes.
const anyKey = fc
  .array(fc.constantFrom(0, 1, 255), { minLength: 6, maxLength: 6 })
  .map((bytes) => Uint8Array.from(bytes));
const anyValue = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyBatch = fc.uniqueArray(fc.record({ key: anyKey, value: fc.option(anyValue, { nil: undefined }) }), {
  selector: ({ key }) => toHex(key),
  maxLength: 40,
});

describe("for any changes", () => {
  test("the tree that grew step by step is the tree that is built at once, and is read back", () => {
    fc.assert(
      fc.property(fc.array(anyBatch, { maxLength: 8 }), (batches) => {
        const nodes = new NodeMap();
        const expected = new Map<string, Uint8Array>();
        let root = emptyRoot;
        for (const batch of batches) {
          root = nodes.apply(root, batch);
          for (const { key, value } of batch) {
            if (value === undefined) expected.delete(toHex(key));
            else expected.set(toHex(key), value);
          }
          const leaves = [...expected].map(([key, value]) => [fromHex(key), value] as const);
          expect(toHex(root)).toBe(toHex(buildTree(leaves).root));
          for (const { key } of batch) {
            expect(findLeaf(nodes, nodes.rootNode(root), key)).toEqual(expected.get(toHex(key)));
          }
        }
      }),
      { numRuns: runs(50, 300) },
    );
  });

  test("deleting absent keys and putting equal values makes no node", () => {
    fc.assert(
      fc.property(anyBatch, anyBatch, (first, second) => {
        const nodes = new NodeMap();
        const root = nodes.apply(emptyRoot, first);
        const same = [...first, ...second.map(({ key }) => ({ key, value: undefined }))].filter(
          ({ key, value }) =>
            toHex(findLeaf(nodes, nodes.rootNode(root), key) ?? new Uint8Array()) === toHex(value ?? new Uint8Array()),
        );
        const distinct = [...new Map(same.map((action) => [toHex(action.key), action])).values()];
        expect(updateTree(nodes, root, distinct)).toEqual({ root, newNodes: [] });
      }),
    );
  });

  test("bytes that are no node are refused with a typed error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          new RadixNode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(HistoryError);
        }
      }),
    );
  });
});

test("two changes of one key are refused", () => {
  const action = { key: keys[0]!, value: values[0]! };
  expect(() => updateTree(new NodeMap(), emptyRoot, [action, { ...action, value: undefined }])).toThrow(
    "Cannot process duplicate actions on one key.",
  );
});

test("a missing child is reported with its hash", () => {
  const { newNodes } = buildTree(keys.map((key, index) => [key, values[index]!] as const));
  const top = newNodes.at(-1)!;
  const reader = {
    node: (hash: Uint8Array) => {
      throw new HistoryError({ code: "nodeMissing", hash });
    },
    rootNode: () => top.node,
  };
  expect(() => findLeaf(reader, top.node, keys[0]!)).toThrow("Missing node in database. ptr=3df152e0");
});
