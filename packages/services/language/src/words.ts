import { renamedChannels } from "@vedette/rholang";

/** The description of each method, as editors show it. @spec 21 §6.3 */
const methodTexts: ReadonlyMap<string, string> = new Map([
  ["nth", "`nth(index)`: the element of a list or tuple, or the byte, at an index from 0"],
  ["toByteArray", "`toByteArray()`: the encoding of any process"],
  ["hexToBytes", "`hexToBytes()`: the bytes of a text of hexadecimal digits"],
  ["bytesToHex", "`bytesToHex()`: the hexadecimal digits of a byte array"],
  ["toUtf8Bytes", "`toUtf8Bytes()`: the bytes of a text in UTF-8"],
  ["union", "`union(other)`: a set or map with the elements of either"],
  ["diff", "`diff(other)`: a set or map without what the other has"],
  ["add", "`add(element)`: a set with one element more"],
  ["delete", "`delete(key)`: a set without an element, a map without a key"],
  ["contains", "`contains(key)`: whether a set has an element, or a map a key"],
  ["get", "`get(key)`: the value of a key in a map, or Nil"],
  ["getOrElse", "`getOrElse(key, other)`: the value of a key in a map, or the other one"],
  ["set", "`set(key, value)`: a map in which a key has this value"],
  ["keys", "`keys()`: the set of a map's keys"],
  ["size", "`size()`: how many elements or keys a set or map has"],
  ["length", "`length()`: of a text, a list or a byte array"],
  ["slice", "`slice(from, until)`: a part of a text, a list or a byte array"],
  ["take", "`take(count)`: the first elements of a list"],
  ["toList", "`toList()`: the elements of a set or tuple, or pairs of a map, as a list"],
  ["toSet", "`toSet()`: the elements of a list or map as a set"],
  ["toMap", "`toMap()`: a map of a list or set of pairs"],
  ["toString", "`toString()`: the text of a value"],
]);

/** The effect of a message on each channel of the system. @spec 21 §7.1 */
const channelTexts: ReadonlyMap<string, string> = new Map([
  ["rho:io:stdout", "writes a value to the node's output"],
  ["rho:io:stdoutAck", "writes a value to the node's output and answers: (value, answer)"],
  ["rho:io:stderr", "writes a value to the node's error output"],
  ["rho:io:stderrAck", "writes a value to the node's error output and answers: (value, answer)"],
  ["rho:execution:abort", "ends the deploy with an error: (value)"],
  ["rho:io:grpcTell", "calls another program: (host, port, value)"],
  ["rho:io:devNull", "takes a value and does nothing"],
  ["rho:block:data", "answers with number, timestamp and sender of the block: (answer)"],
  ["rho:casper:invalidBlocks", "answers with invalid blocks and their senders: (answer)"],
  ["rho:deploy:data", "answers with timestamp, deployer and id of the deploy: (answer)"],
  ["rho:asi:address", "checks and makes addresses of vaults: (operation, value, answer)"],
  ["rho:rchain:deployerId:ops", "the public key of a deployer's id: (operation, id, answer)"],
  ["rho:registry:ops", "makes URIs: (operation, value, answer)"],
  ["sys:authToken:ops", "checks the token of system deploys: (operation, token, answer)"],
  ["rho:crypto:secp256k1Verify", "checks a signature: (hash, signature, public key, answer)"],
  ["rho:crypto:blake2b256Hash", "hashes bytes: (bytes, answer)"],
  ["rho:crypto:keccak256Hash", "hashes bytes: (bytes, answer)"],
  ["rho:crypto:sha256Hash", "hashes bytes: (bytes, answer)"],
  ["rho:crypto:ed25519Verify", "checks a signature: (message, signature, public key, answer)"],
  ["rho:ai:gpt4", "asks a service outside: (question, answer)"],
  ["rho:ai:dalle3", "asks a service outside: (question, answer)"],
  ["rho:ai:textToAudio", "asks a service outside: (text, answer)"],
  ["rho:ollama:chat", "asks a service outside: (model, question, answer)"],
  ["rho:ollama:generate", "asks a service outside: (model, question, answer)"],
  ["rho:ollama:models", "asks a service outside: (answer)"],
  ["rho:registry:lookup", "finds what is registered under a URI: (URI, answer)"],
  ["rho:registry:insertArbitrary", "registers a value under a new URI: (value, answer)"],
  ["rho:registry:insertSigned:secp256k1", "registers a value under the URI of a key: (key, value, signature, answer)"],
]);

/** The descriptions of methods that only f1r3node networks have. @spec 61 §6.4 */
const f1r3nodeMethodTexts: readonly (readonly [string, string])[] = [
  ["intersection", "`intersection(other)`: the paths that both path maps have"],
  ["restriction", "`restriction(other)`: the paths of a path map at or below one of the other"],
  ["dropHead", "`dropHead(count)`: a path map with lists that lack their first elements"],
  ["run", "`run(other)`: a path map as it is"],
  ["readZipper", "`readZipper()`: a place in a path map, at its root, to read from"],
  ["readZipperAt", "`readZipperAt(path)`: a place in a path map to read from"],
  ["writeZipper", "`writeZipper()`: a place in a path map, at its root, to change it at"],
  ["writeZipperAt", "`writeZipperAt(path)`: a place in a path map to change it at"],
  ["descendTo", "`descendTo(path)`: the place below this one at a path"],
  ["getLeaf", "`getLeaf()`: the value at this place, or Nil"],
  ["getSubtrie", "`getSubtrie()`: the path map of what lies at or below this place"],
  ["setLeaf", "`setLeaf(value)`: the path map with a value as one more element"],
  [
    "setSubtrie",
    "`setSubtrie(other)`: the path map with the paths of another one in the place of those below this place",
  ],
  ["removeLeaf", "`removeLeaf()`: the path map without the value at this place"],
  ["removeBranches", "`removeBranches()`: the path map without what lies below this place"],
  ["graft", "`graft(other)`: the path map with the elements of another one behind its own"],
  ["joinInto", "`joinInto(other)`: all paths of both path maps"],
  ["atPath", "`atPath(path)`: the value at a path below this place, or Nil"],
  ["pathExists", "`pathExists()`: whether something lies at or below this place"],
  ["createPath", "`createPath(path)`: the path map as it is"],
  ["prunePath", "`prunePath()`: the path map without what lies at or below this place"],
  ["reset", "`reset()`: the place at the root"],
  ["ascendOne", "`ascendOne()`: the place one step above, or Nil at the root"],
  ["ascend", "`ascend(steps)`: the place this many steps above, the root at most"],
  ["toNextSibling", "`toNextSibling()`: the next place beside this one, or Nil"],
  ["toPrevSibling", "`toPrevSibling()`: the place beside and before this one, or Nil"],
  ["descendFirst", "`descendFirst()`: the first place below this one, or Nil"],
  ["descendIndexedBranch", "`descendIndexedBranch(index)`: the place below this one with an index from 0, or Nil"],
  ["childCount", "`childCount()`: how many places there are right below this one"],
];

/** The descriptions of channels that only f1r3node networks have. @spec 61 §8 */
const f1r3nodeChannelTexts: readonly (readonly [string, string])[] = [
  ["rho:registry:ops:1.0.0", "makes URIs, reads and compares versions: (operation, value, answer)"],
  ["rho:internal:registry_lookup", "finds a channel or a version in the registry: (URN, answer)"],
  ["rho:registry:v1:internal", "the registry of versions, as the system calls it"],
  ["rho:registry:1.0.0", "the registry of versions: (operation, answer)"],
  ["rho:system:bitmaskMergeableTag", 'the first name of channels that are merged by "or"'],
];

/** Descriptions of a language's words, as editors show them. */
export interface Words {
  readonly methods: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

/** The words of rnode networks. @spec 21 §6.3, §7.1 */
export const rnodeWords: Words = { methods: methodTexts, channels: channelTexts };

/** The words of f1r3node networks. @spec 61 §6.4, §8 */
export const f1r3nodeWords: Words = {
  methods: new Map([...methodTexts, ...f1r3nodeMethodTexts]),
  channels: new Map([
    ...[...channelTexts].map(([urn, text]) => [renamedChannels.get(urn) ?? urn, text] as const),
    ...f1r3nodeChannelTexts,
  ]),
};

/**
 * How many arguments each method wants, as its text shows: an editor need not load what runs the methods to know it.
 */
export function aritiesOf({ methods }: Words): ReadonlyMap<string, number> {
  return new Map([...methods].map(([name, text]) => [name, argumentsIn(text)]));
}

function argumentsIn(text: string): number {
  const shown = text.slice(text.indexOf("(") + 1, text.indexOf(")"));
  return shown === "" ? 0 : shown.split(", ").length;
}
