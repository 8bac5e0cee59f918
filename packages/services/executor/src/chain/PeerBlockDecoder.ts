import { Worker } from "node:worker_threads";
import { checkFormat, checkSignature } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import {
  type Block,
  checkDeploySignatures,
  type Dialect,
  decodeBlock,
  decodeStoredBlock,
  WireError,
  type WireFailure,
} from "@vedette/protocol";
import { type DecodedBlockFacts, factsOf } from "../executor/blockFacts.js";

/** The bytes of a block, on their way to the thread that reads them. */
export interface DecodeCall {
  readonly content: Uint8Array;
}

/** The settings of the thread. */
export interface DecodingThreadData {
  readonly dialect: Dialect["name"];
}

/** The result of reading, with the given bytes. */
export type DecodeAnswer = { readonly content: Uint8Array } & (
  | { readonly facts: DecodedBlockFacts }
  | { readonly failure: WireFailure }
);

/** A block up to these is read on the main thread, in some tens of milliseconds at most. */
const maxBytesHere = 1 << 20;
const maxItemsHere = 20_000;
const maxDeploysHere = 200;
/** The thread ends after this time without work, and frees its memory. */
const idleMs = 15_000;
/** Objects of the largest message that is read at all take less. */
const heapSizeMb = 1024;

interface Waiting {
  readonly resolve: (answer: DecodeAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads the blocks of peers: small ones at once, others on a thread that is there while it is needed, since peers may
 * send blocks with a million parts.
 *
 * @spec 40 §4.8
 */
export class PeerBlockDecoder implements AsyncDisposable {
  /** The faults of blocks that were read, if any. */
  readonly #forms = new WeakMap<Block, { readonly malformed: string | undefined }>();
  readonly #dialect: Dialect;
  #thread: DecodingThread | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** @throws {WireError} for bytes that are no block, and for a badly signed deploy */
  async decode(content: Uint8Array): Promise<Block> {
    return this.#decodeHere(content) ?? (await this.#decodeElsewhere(content));
  }

  /** Why the form or the signature of a block is wrong. @spec 40 §5.2 */
  formOf(block: Block): string | undefined {
    const known = this.#forms.get(block);
    return known === undefined ? checkForm(block, this.#dialect) : known.malformed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread?.end();
  }

  /** @returns `undefined` for what is too much */
  #decodeHere(content: Uint8Array): Block | undefined {
    const block = content.length > maxBytesHere ? undefined : decodeUnlessMany(content, this.#dialect);
    if (block === undefined || block.body.deploys.length > maxDeploysHere) return undefined;
    this.#forms.set(block, factsOf(block, this.#dialect));
    return block;
  }

  async #decodeElsewhere(content: Uint8Array): Promise<Block> {
    clearTimeout(this.#idle);
    if (this.#thread === undefined || this.#thread.isEnded) this.#thread = new DecodingThread(this.#dialect);
    const thread = this.#thread;
    let answer: DecodeAnswer;
    try {
      answer = await thread.decode(content);
    } finally {
      if (!thread.isBusy) this.#endLater();
    }
    if ("failure" in answer) throw new WireError(answer.failure);
    const { contentHash: hash, otherBytes } = answer.facts;
    const block = decodeStoredBlock(otherBytes ?? answer.content, this.#dialect.blockForm);
    block.cachedHash = { dialect: this.#dialect, hash };
    this.#forms.set(block, answer.facts);
    return block;
  }

  #endLater(): void {
    clearTimeout(this.#idle);
    const end = () => void this.#thread?.end();
    this.#idle = setTimeout(end, idleMs).unref();
  }
}

/** One thread; what it works on fails when it ends. */
class DecodingThread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  isEnded = false;

  constructor({ name: dialect }: Dialect) {
    const workerData: DecodingThreadData = { dialect };
    this.#worker = new Worker(new URL("./blockDecodingThread.js", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapSizeMb },
      env: {},
      workerData,
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: DecodeAnswer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("the thread has ended")));
  }

  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** Answers in the order of the calls. @throws {WireError} `unreadable` where the block took the thread's memory */
  decode(content: Uint8Array): Promise<DecodeAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      const isAlone = content.byteLength === content.buffer.byteLength;
      const call: DecodeCall = { content: isAlone ? content : Uint8Array.from(content) };
      this.#worker.postMessage(call, [call.content.buffer as ArrayBuffer]);
    });
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.#worker.terminate();
  }

  #fail(cause: unknown): void {
    this.isEnded = true;
    const error = new WireError({ code: "unreadable", reason: errorText(cause) });
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function decodeUnlessMany(content: Uint8Array, { blockForm }: Dialect): Block | undefined {
  try {
    return decodeBlock(content, blockForm, maxItemsHere);
  } catch (error) {
    if (error instanceof WireError && error.failure.code === "tooManyItems") return undefined;
    throw error;
  }
}

function checkForm(block: Block, dialect: Dialect): string | undefined {
  const malformed = checkFormat(block) ?? checkSignature(block, dialect);
  if (malformed !== undefined) return malformed;
  try {
    checkDeploySignatures(block, dialect);
    return undefined;
  } catch (error) {
    if (error instanceof WireError) return error.message;
    throw error;
  }
}
