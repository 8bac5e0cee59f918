import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { errorClass, errorText } from "@vedette/errors";
import { type Block, type Dialect, decodeBlock, findDialect, rnode } from "@vedette/protocol";
import { checkDag, checkFacts, checkNetwork, type ValueCheck } from "./checkRecorded.js";

/** The reasons that keep a recorded chain from being read. */
export type RecordedChainFailure =
  | { readonly code: "missing"; readonly path: string; readonly file: string }
  | { readonly code: "otherDialect"; readonly path: string; readonly name: string }
  | { readonly code: "otherRules"; readonly name: string; readonly known: readonly string[] }
  | { readonly code: "fromGenesisOnly" }
  | { readonly code: "damaged"; readonly file: string; readonly reason: string };

/** A recorded chain cannot be read; the message states which file and why. */
export class RecordedChainError extends errorClass("RecordedChainError", sentence) {}

function sentence(failure: RecordedChainFailure): string {
  switch (failure.code) {
    case "missing":
      return `${failure.path} is not a recorded chain: it has no ${failure.file}`;
    case "otherDialect":
      return `${failure.path} was recorded on a network of the dialect '${failure.name}', which is not known; give --dialect`;
    case "otherRules":
      return `the network of the recording uses the rule set "${failure.name}"; Vedette knows ${failure.known.join(", ")}`;
    case "fromGenesisOnly":
      return "chains of the dialect 'f1r3node' are replayed from genesis alone; leave --import-state out";
    case "damaged":
      return `${failure.file} cannot be read: ${failure.reason}`;
  }
}

/** How the recorded network was configured: what of `network.json` is used. */
export interface RecordedNetwork {
  readonly dialect?: string;
  readonly shard?: string;
  readonly networkId?: string;
  readonly maxNumberOfParents?: number;
  readonly faultToleranceThreshold?: number;
  readonly epochLength?: number;
  /** Left out: the usual one of the dialect. @spec 61 §24 */
  readonly ruleSet?: string;
}

/** rnode's facts about a block: a line of `blocks.jsonl`. Hashes and keys are hex. */
export interface RecordedFacts {
  readonly hash: string;
  readonly number: number;
  readonly seqNum: number;
  readonly postState: string;
  readonly bonds: readonly { readonly validator: string; readonly stake: number | string }[];
  readonly deploys: readonly {
    readonly id: string;
    readonly cost: number | string;
    readonly failed: boolean;
    readonly systemError: string | null;
  }[];
  readonly invalid: boolean;
  readonly finalized: boolean;
  /** Deploys that the block's merge gave up: of rnode their ids alone. @spec 61 §12.3 */
  readonly rejectedDeploys?: readonly (
    | string
    | { readonly id: string; readonly duplicate: boolean; readonly carrier: string }
  )[];
  /** The merged blocks, and the final blocks by a block's past, on f1r3node networks. @spec 61 §12, 61 §13 */
  readonly appliedFromScope?: readonly string[];
  readonly mergeBase?: string;
  readonly floor?: string;
  readonly frontier?: string | null;
}

/** rnode's facts at the end: `dag.json`. */
export interface RecordedDag {
  readonly lastFinalizedBlock: string;
  readonly invalidBlocks: readonly string[];
  readonly latestMessages: readonly { readonly validator: string; readonly block: string }[];
}

/** A longer message is taken for damage; the longest recorded block has some hundred kilobytes. */
const longestMessageBytes = 256 << 20;

/** A compressed file that is larger than this when unpacked is refused; a larger recording is kept as it is. */
const maxUnpackedBytes = 1 << 30;

/** A folder with what rnode networks produced; each file may be compressed, with `.gz` behind its name. */
export class RecordedChain {
  readonly path: string;
  readonly network: RecordedNetwork;
  /** Dialect of the network, as it was given or as the recording names it. */
  readonly dialect: Dialect;
  /** By hash; empty where the folder has no `blocks.jsonl`. */
  readonly facts: ReadonlyMap<string, RecordedFacts>;
  readonly dag: RecordedDag | undefined;
  readonly approvedBlock: Uint8Array | undefined;

  /** @param dialect default: the recording's, or rnode where it names none @throws {RecordedChainError} */
  constructor(path: string, dialect?: Dialect["name"]) {
    this.path = path;
    if (placeOf(join(path, "blocks.bin")) === undefined)
      throw new RecordedChainError({ code: "missing", path, file: "blocks.bin" });
    this.network = readJson(join(path, "network.json"), checkNetwork) ?? {};
    this.dialect = dialectOf(path, dialect ?? this.network.dialect ?? rnode.name);
    this.dag = readJson(join(path, "dag.json"), checkDag);
    this.facts = readFacts(join(path, "blocks.jsonl"));
    this.approvedBlock = readWhole(join(path, "approved-block.bin"));
  }

  /** Number of blocks. @throws {RecordedChainError} */
  countBlocks(): number {
    let count = 0;
    for (const _length of messageLengths(join(this.path, "blocks.bin"))) count += 1;
    return count;
  }

  /** The blocks in their recorded order, one at a time. @throws {RecordedChainError} */
  *blocks(): Generator<Block> {
    const file = join(this.path, "blocks.bin");
    for (const message of messages(file)) {
      try {
        yield decodeBlock(message, this.dialect.blockForm);
      } catch (error) {
        throw damaged(file, error);
      }
    }
  }

  /** Pages of the state export of the last finalized block. @throws {RecordedChainError} */
  *lastFinalizedState(): Generator<Uint8Array> {
    const file = join(this.path, "state-lfb.bin");
    if (placeOf(file) === undefined)
      throw new RecordedChainError({ code: "missing", path: this.path, file: "state-lfb.bin" });
    yield* messages(file);
  }
}

function dialectOf(path: string, name: string): Dialect {
  const dialect = findDialect(name);
  if (dialect === undefined) throw new RecordedChainError({ code: "otherDialect", path, name });
  return dialect;
}

function readJson<T>(file: string, check: ValueCheck): T | undefined {
  const bytes = readWhole(file);
  return bytes === undefined ? undefined : parsed(new TextDecoder().decode(bytes), check, { file });
}

function readFacts(file: string): Map<string, RecordedFacts> {
  const facts = new Map<string, RecordedFacts>();
  for (const [index, line] of new TextDecoder().decode(readWhole(file)).split("\n").entries()) {
    if (line.trim() === "") continue;
    const one: RecordedFacts = parsed(line, checkFacts, { file, line: index + 1 });
    facts.set(one.hash, one);
  }
  return facts;
}

/** @throws {RecordedChainError} `damaged`, with the line where the file has several */
function parsed<T>(text: string, check: ValueCheck, place: { readonly file: string; readonly line?: number }): T {
  const file = placeOf(place.file) ?? place.file;
  const where = place.line === undefined ? file : `${file}, line ${place.line},`;
  let value: T;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(where, error);
  }
  const fault = check(value, "");
  if (fault !== undefined) throw new RecordedChainError({ code: "damaged", file: where, reason: fault });
  return value;
}

/** Finds where a file lies: as it is, or compressed. */
function placeOf(file: string): string | undefined {
  return [file, `${file}.gz`].find(existsSync);
}

/** Reads a file, unpacked. @returns `undefined` where it is not there */
function readWhole(file: string): Uint8Array | undefined {
  const place = placeOf(file);
  if (place === undefined) return undefined;
  const bytes = readFileSync(place);
  if (place === file) return Uint8Array.from(bytes);
  try {
    return Uint8Array.from(gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes }));
  } catch (error) {
    throw damaged(place, error);
  }
}

function damaged(file: string, cause: unknown): RecordedChainError {
  return new RecordedChainError({ code: "damaged", file, reason: errorText(cause) }, { cause });
}

/** Messages of a file: each is preceded by its length, 4 bytes, big-endian. */
function* messages(file: string): Generator<Uint8Array> {
  for (const { source, offset, length } of messageLengths(file)) {
    const message = new Uint8Array(length);
    if (source.read(message, offset) !== length)
      throw new RecordedChainError({ code: "damaged", file, reason: `it ends within the message at byte ${offset}` });
    yield message;
  }
}

function* messageLengths(file: string): Generator<{ source: MessageSource; offset: number; length: number }> {
  const source = openMessages(file);
  try {
    const head = Buffer.alloc(4);
    for (let offset = 0; offset < source.size; ) {
      const got = source.read(head, offset);
      const length = got === 4 ? head.readUInt32BE() : -1;
      if (length < 0 || length > longestMessageBytes || offset + 4 + length > source.size)
        throw new RecordedChainError({ code: "damaged", file, reason: `no whole message at byte ${offset}` });
      yield { source, offset: offset + 4, length };
      offset += 4 + length;
    }
  } finally {
    source.close();
  }
}

/** A file of messages, unpacked. */
interface MessageSource {
  readonly size: number;
  /** Fills `target` from an offset on. @returns how many bytes there were */
  read(target: Uint8Array, offset: number): number;
  close(): void;
}

/** A plain file is read piece by piece, since it may be larger than the memory; a compressed one is unpacked whole. */
function openMessages(file: string): MessageSource {
  if (existsSync(file)) {
    const descriptor = openSync(file, "r");
    return {
      size: fstatSync(descriptor).size,
      read: (target, offset) => readSync(descriptor, target, 0, target.length, offset),
      close: () => closeSync(descriptor),
    };
  }
  const bytes = readWhole(file) ?? new Uint8Array(0);
  const read = (target: Uint8Array, offset: number): number => {
    const part = bytes.subarray(offset, offset + target.length);
    target.set(part);
    return part.length;
  };
  return { size: bytes.length, read, close: () => {} };
}
