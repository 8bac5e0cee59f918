import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import { type GrpcMethod, onlyMessage } from "../grpc/serveCall.js";

/**
 * Answers a question of a peer.
 *
 * @returns the answer; `undefined` where none can be given now
 */
export type ExtensionHandler = (
  peerId: string,
  question: Uint8Array,
  signal: AbortSignal,
) => Promise<Uint8Array | undefined>;

/** Bounds of what questions may cost. @spec 10 §3.7 */
export interface ExtensionLimits {
  readonly maxQuestionBytes: number;
  /** Questions of one peer that are answered at the same time. */
  readonly atOncePerPeer: number;
  /** The same of all peers together: each holds an answer. */
  readonly atOnce: number;
  readonly deadlineMs: number;
}

/** Bounds that let an honest peer send requests ahead. @spec 10 §3.7 */
export const defaultExtensionLimits: ExtensionLimits = {
  maxQuestionBytes: 4096,
  atOncePerPeer: 4,
  atOnce: 16,
  deadlineMs: 30_000,
};

/** The header that names the extensions of the answering node. @spec 10 §3.7 */
export const extensionsHeader = "vedette-extensions";

/** The header that names the answering node's program and version. @spec 10 §3.7 */
export const versionHeader = "vedette-version";

/** The path of an extension's method. @spec 10 §3.7 */
export function extensionPath(name: string): string {
  return `/vedette.Extension/${name}`;
}

/**
 * Answers requests of Vedette nodes that are not in the protocol of rnode and f1r3node. A node sends such a request
 * only to peers that announced the extension, so other nodes never receive one.
 *
 * @spec 10 §3.7
 */
export class ExtensionServer {
  readonly #limits: ExtensionLimits;
  readonly #version: string;
  readonly #answers = new Map<string, ExtensionHandler>();
  readonly #now = new Map<string, number>();
  #nowInAll = 0;

  /** @param version as {@link versionHeader} has it; empty: not announced */
  constructor(limits: ExtensionLimits, version = "") {
    this.#limits = limits;
    this.#version = version;
  }

  /** @param name letters, digits and hyphens, with its version */
  answer(name: string, answer: ExtensionHandler): void {
    this.#answers.set(name, answer);
  }

  /** The headers of every answer. */
  get headers(): Readonly<Record<string, string>> {
    return {
      ...(this.#answers.size > 0 && { [extensionsHeader]: [...this.#answers.keys()].join(",") }),
      ...(this.#version !== "" && { [versionHeader]: this.#version }),
    };
  }

  /** The method at a path, if it is an extension's. */
  method(path: string): GrpcMethod<string> | undefined {
    for (const [name, answer] of this.#answers) if (path === extensionPath(name)) return this.#methodOf(answer);
    return undefined;
  }

  #methodOf(answer: ExtensionHandler): GrpcMethod<string> {
    const { maxQuestionBytes, deadlineMs } = this.#limits;
    return {
      maxMessageBytes: maxQuestionBytes,
      idleMs: deadlineMs,
      deadlineMs,
      handle: async ({ caller, messages, signal }) => {
        const question = await onlyMessage(messages);
        using _place = this.#take(caller);
        const found = await answer(caller, question, signal);
        if (found === undefined) throw new GrpcError(grpcStatus.unavailable, "No answer now");
        return found;
      },
    };
  }

  /** @throws {GrpcError} RESOURCE_EXHAUSTED */
  #take(caller: string): Disposable {
    const { atOnce, atOncePerPeer } = this.#limits;
    const now = this.#now.get(caller) ?? 0;
    if (now >= atOncePerPeer || this.#nowInAll >= atOnce)
      throw new GrpcError(grpcStatus.resourceExhausted, "Too many questions at once");
    this.#now.set(caller, now + 1);
    this.#nowInAll += 1;
    return {
      [Symbol.dispose]: () => {
        this.#nowInAll -= 1;
        const left = this.#now.get(caller)! - 1;
        if (left > 0) this.#now.set(caller, left);
        else this.#now.delete(caller);
      },
    };
  }
}

const maxExtensions = 16;

/** Reads {@link versionHeader}: at most 64 printable characters of ASCII; `undefined` for anything else. */
export function readVersion(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && /^[!-~][ -~]{0,63}$/.test(header) ? header : undefined;
}

/** Reads {@link extensionsHeader}. */
export function readExtensions(header: string | string[] | undefined): ReadonlySet<string> {
  const text = typeof header === "string" ? header : "";
  return new Set(text.split(",", maxExtensions).filter((name) => /^[\w-]{1,32}(\.\d{1,4})?$/.test(name)));
}
