import { toHex } from "@vedette/crypto";

/** The verdict on a block. */
export type BlockVerdict = "valid" | "invalid";

/** A publisher's statement about a block: its verdict, or that it is final. */
export type Statement = BlockVerdict | "final";

/** The subject of a message. */
export type StreamSubject =
  | { readonly kind: "block"; readonly hash: string; readonly verdict: BlockVerdict }
  | { readonly kind: "final"; readonly hash: string }
  | { readonly kind: "alarm"; readonly hash: string }
  /** `by`: the publisher, as a part of subjects. */
  | { readonly kind: "said"; readonly hash: string; readonly what: Statement; readonly by: string }
  /** The hash is that of the whole content. */
  | { readonly kind: "part"; readonly hash: string };

/**
 * The names of a network's stream and of its subjects. Each message has a separate subject, of which the stream keeps
 * one message: so a block is there once, regardless of how many publish it.
 */
export class StreamNames {
  readonly stream: string;
  readonly #beginning: string;

  /** @param network its id, any text */
  constructor(network: string) {
    const token = tokenOf(network);
    this.stream = `VEDETTE_${token}`;
    this.#beginning = `vedette.${token}`;
  }

  /** All of them. */
  get all(): string {
    return `${this.#beginning}.>`;
  }

  /** A block was judged. */
  block(hash: Uint8Array | string, verdict: BlockVerdict): string {
    return `${this.#beginning}.block.${typeof hash === "string" ? hash : toHex(hash)}.${verdict}`;
  }

  /** A block became final. */
  final(hash: Uint8Array): string {
    return `${this.#beginning}.final.${toHex(hash)}`;
  }

  /** A part of a message that is too long for one. */
  part(content: string, number: number): string {
    return `${this.#beginning}.part.${content}.${number}`;
  }

  /** Subject of one publisher's statement about a block. */
  said(hash: string, what: Statement, publisher: string): string {
    return `${this.#beginning}.said.${hash}.${what}.${tokenOf(publisher)}`;
  }

  /** Returns the replacement of a subject that another message occupies, with room for one message. */
  beside(subject: string, publisher: string): string {
    return `${subject}.${tokenOf(publisher)}`;
  }

  /** Returns the pattern of all replacements of a subject. */
  allBeside(subject: string): string {
    return `${subject}.*`;
  }

  /** Subjects of all publishers that state this about a block. */
  allSaid(hash: string, what: Statement): string {
    return `${this.#beginning}.said.${hash}.${what}.*`;
  }

  /** Heartbeats of a publisher, one a second. The stream keeps the first; listeners receive all. */
  life(publisher: string): string {
    return `${this.#beginning}.life.${tokenOf(publisher)}`;
  }

  /** All publishers. */
  get lives(): string {
    return `${this.#beginning}.life.*`;
  }

  /** Publishers differ about a block. */
  alarm(hash: string): string {
    return `${this.#beginning}.alarm.${hash}`;
  }

  /** All alarms. */
  get alarms(): string {
    return `${this.#beginning}.alarm.>`;
  }

  /** The subjects that a replica follows: all but parts, and the publishers' statements. */
  get followed(): readonly string[] {
    return ["block", "final", "alarm"].map((kind) => `${this.#beginning}.${kind}.>`);
  }

  /** Parses a subject, or one beside it; `undefined` for a subject of other programs. */
  read(subject: string): StreamSubject | undefined {
    if (!subject.startsWith(`${this.#beginning}.`)) return undefined;
    const [kind, hash = "", ...more] = subject.slice(this.#beginning.length + 1).split(".");
    return /^[0-9a-f]{64}$/.test(hash) ? subjectOf(kind, hash, more) : undefined;
  }
}

/** @param more the parts after the hash in the subject */
function subjectOf(kind: string | undefined, hash: string, more: readonly string[]): StreamSubject | undefined {
  const [what, by] = more;
  switch (kind) {
    case "said":
      return isStatement(what) && by !== undefined && more.length === 2 ? { kind, hash, what, by } : undefined;
    case "final":
    case "alarm":
      return more.length <= 1 ? { kind, hash } : undefined;
    case "block":
      return isVerdict(what) && more.length <= 2 ? { kind, hash, verdict: what } : undefined;
    case "part":
      return what !== undefined && more.length <= 2 ? { kind, hash } : undefined;
    default:
      return undefined;
  }
}

function isVerdict(text: string | undefined): text is BlockVerdict {
  return text === "valid" || text === "invalid";
}

function isStatement(text: string | undefined): text is Statement {
  return isVerdict(text) || text === "final";
}

/** A name of any kind as a part of subjects. */
export function tokenOf(name: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : `x${toHex(new TextEncoder().encode(name))}`;
}
