import type { PriceFamilies, PriceFamily } from "./PriceFamily.js";
import { growing, large, largeList, largeMap, largePairs, largeSet, largeText, list, ofLarge } from "./PriceFamily.js";

const inF1r3node = (family: PriceFamily): PriceFamily => ({ ...family, dialect: "f1r3node" });

const largeBytes = `"${"0123456789abcdef".repeat(large / 8)}".hexToBytes()`;
const largeHex = `"${"0123456789abcdef".repeat(large / 16)}"`;
const largeTuple = `(${list(large, String)})`;
const largePairSet = `Set(${list(large, (at) => `(${at}, 0)`)})`;
const largePaths = `{|${list(large, (at) => `["a${at % 10}", "b${at}"]`)}|}`;
const largeNumber = `${"7".repeat(1_000)}n`;

/** A method of a place below the root of a large path map. */
const ofLargePaths = (call: string) => inF1r3node(ofLarge(largePaths, `v.writeZipperAt(["a1", "b1"])${call}`));

/** Methods and operators one by one, of values that are large beside what one call costs. */
export const methodFamilies: PriceFamilies = {
  "nth of a large list": ofLarge(largeList, "v.nth(n % 100)"),
  "length of a large list": ofLarge(largeList, "v.length()"),
  "length of a large text": ofLarge(largeText, "v.length()"),
  "slice of a large text": ofLarge(largeText, "v.slice(0, 1)"),
  "a large list appended to": ofLarge(largeList, "(v ++ [n]).nth(n % 100)"),
  "a large list to a set": ofLarge(largeList, "v.toSet().contains(n)"),
  "a large list to a map": ofLarge(largePairs, "v.toMap().get(n)"),
  "look into a large set": ofLarge(largeSet, "v.contains(n)"),
  "one more in a large set": ofLarge(largeSet, "v.add(-n).contains(n)"),
  "one less in a large set": ofLarge(largeSet, "v.delete(n).contains(n)"),
  "look into a large map": ofLarge(largeMap, "v.get(n)"),
  "keys of a large map": ofLarge(largeMap, "v.keys().contains(n)"),
  "one more in a large map": ofLarge(largeMap, "v.set(-n, n).get(n)"),
  "another value in a large map": ofLarge(largeMap, "v.set(n, n).get(n)"),
  "one less in a large map": ofLarge(largeMap, "v.delete(n).get(n)"),
  "nth of a large tuple": ofLarge(largeTuple, "v.nth(n % 100)"),
  "nth of large bytes": ofLarge(largeBytes, "v.nth(n % 100)"),
  "bytes of a large list": ofLarge(largeList, "v.toByteArray().length()"),
  "bytes of a large map": ofLarge(largeMap, "v.toByteArray().length()"),
  "bytes of a large hexadecimal text": ofLarge(largeHex, "v.hexToBytes().length()"),
  "hexadecimal text of large bytes": ofLarge(largeBytes, "v.bytesToHex().length()"),
  "bytes of a large text": ofLarge(largeText, "v.toUtf8Bytes().length()"),
  "length of large bytes": ofLarge(largeBytes, "v.length()"),
  "slice of a large list": ofLarge(largeList, "v.slice(1, 3).nth(0)"),
  "slice of large bytes": ofLarge(largeBytes, "v.slice(1, 3).length()"),
  "first of a large list": ofLarge(largeList, "v.take(1).nth(0)"),
  "all but the first of a large list": ofLarge(largeList, `v.slice(1, ${large}).nth(0)`),
  "size of a large set": ofLarge(largeSet, "v.size()"),
  "size of a large map": ofLarge(largeMap, "v.size()"),
  "list of a large set": ofLarge(largeSet, "v.toList().nth(0)"),
  "list of a large map": ofLarge(largeMap, "v.toList().nth(0)"),
  "set of a large map": ofLarge(largeMap, "v.toSet().contains((n, 0))"),
  "map of a large set": ofLarge(largePairSet, "v.toMap().contains(n)"),
  "key of a large map": ofLarge(largeMap, "v.contains(n)"),
  "key of a large map or else": ofLarge(largeMap, "v.getOrElse(n, 1)"),
  "a large set and another": ofLarge(largeSet, "v.union(Set(-n)).contains(n)"),
  "a large map and another": ofLarge(largeMap, "v.union({-n: 1}).contains(n)"),
  "a large set without another": ofLarge(largeSet, "v.diff(Set(n)).contains(n)"),
  "a large map without another": ofLarge(largeMap, "v.diff({n: 1}).contains(n)"),
  "a large set joined to a small one": ofLarge(largeSet, "Set(-n).union(v).contains(n)"),
  "operators of large sets": ofLarge(largeSet, "((v ++ Set(-n)) -- Set(n)).contains(n)"),
  "a large text appended to": ofLarge(largeText, '(v ++ "x").length()'),
  "a large text filled in": ofLarge(largeText, `("\${a}" %% {"a": v}).length()`),
  "large lists compared": ofLarge(largeList, "v == (v ++ [n])"),
  "large maps compared": ofLarge(largeMap, "v == v.set(0, n)"),
  "large sets compared": ofLarge(largeSet, "v == v.add(-n)"),
  "a large set in a set": ofLarge(largeSet, "Set(v, n).contains(v)"),
  "a large list as key": ofLarge(largeList, "{v: n}.get(v)"),
  "a large list in new lists": ofLarge(largeList, "[n, v, v].nth(0)"),
  "big integers that grow": inF1r3node({
    from: 50,
    source: (n) => growing("3n", "v * 1000000007n", n),
  }),
  "big integers that are squared": inF1r3node({
    from: 50,
    source: (n) => growing("3n", "v * v", Math.round(Math.log2(n)) + 4),
  }),
  "large big integers divided": inF1r3node(ofLarge(largeNumber, "v / 1000000007n")),
  "large big integers compared": inF1r3node(ofLarge(largeNumber, "v < v + 1n")),
  "rationals that grow": inF1r3node({ from: 20, source: (n) => growing("1r", "v * 7r / 5r + 1r", n) }),
  "union of large path maps": inF1r3node(ofLarge(largePaths, 'v.union({|["c"]|}).pathExists()')),
  "large path map without another": inF1r3node(ofLarge(largePaths, 'v.diff({|["c"]|}).pathExists()')),
  "large path map and another": inF1r3node(ofLarge(largePaths, 'v.intersection({|["c"]|}).pathExists()')),
  "large path map below another": inF1r3node(ofLarge(largePaths, 'v.restriction({|["c"]|}).pathExists()')),
  "heads of a large path map": inF1r3node(ofLarge(largePaths, "v.dropHead(1).pathExists()")),
  "run of a large path map": inF1r3node(ofLarge(largePaths, 'v.run({|["c"]|}).pathExists()')),
  "path of a large path map": inF1r3node(ofLarge(largePaths, 'v.atPath(["a1", "b1"])')),
  "children of a large path map": inF1r3node(ofLarge(largePaths, "v.childCount()")),
  "leaf of a zipper": ofLargePaths(".getLeaf()"),
  "new leaf of a zipper": ofLargePaths(".setLeaf([n]).pathExists()"),
  "map below a zipper": ofLargePaths(".getSubtrie().pathExists()"),
  "new map below a zipper": ofLargePaths('.setSubtrie({|["c"]|}).pathExists()'),
  "leaf of a zipper removed": ofLargePaths(".removeLeaf().pathExists()"),
  "branches of a zipper removed": ofLargePaths(".removeBranches().pathExists()"),
  "path of a zipper pruned": ofLargePaths(".prunePath().pathExists()"),
  "path of a zipper made": ofLargePaths('.createPath(["c"]).pathExists()'),
  "map grafted below a zipper": ofLargePaths('.graft({|["c"]|}).pathExists()'),
  "map joined into a zipper": ofLargePaths('.joinInto({|["c"]|}).pathExists()'),
  "path below a zipper": ofLargePaths(".pathExists()"),
  "zipper moved to the next sibling": ofLargePaths(".toNextSibling().pathExists()"),
  "zipper moved to the one before": ofLargePaths(".toPrevSibling()"),
  "zipper moved up and down": ofLargePaths('.ascendOne().ascend(1).reset().descendTo(["a1"]).descendFirst()'),
  "zipper moved to a branch": ofLargePaths(".ascendOne().descendIndexedBranch(3)"),
  "zipper that reads": inF1r3node(ofLarge(largePaths, 'v.readZipper().descendTo(["a1"]).childCount()')),
};
