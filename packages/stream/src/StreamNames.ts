import { toHex } from "@vedette/crypto";

/** What was found of a block. */
export type Verdict = "valid" | "invalid";

/**
 * The names of a network's stream and of its subjects. Each message has a subject of its own, of which the stream keeps
 * one: so a block is there once, whoever publishes it and however often.
 */
export class StreamNames {
  readonly stream: string;
  readonly #beginning: string;

  /** @param network its id, any text */
  constructor(network: string) {
    const token = /^[A-Za-z0-9_-]{1,64}$/.test(network) ? network : `x${toHex(new TextEncoder().encode(network))}`;
    this.stream = `VEDETTE_${token}`;
    this.#beginning = `vedette.${token}`;
  }

  /** All of them. */
  get all(): string {
    return `${this.#beginning}.>`;
  }

  /** A block was judged. */
  block(hash: Uint8Array, verdict: Verdict): string {
    return `${this.#beginning}.block.${toHex(hash)}.${verdict}`;
  }

  /** A block became final. */
  final(hash: Uint8Array): string {
    return `${this.#beginning}.final.${toHex(hash)}`;
  }

  /** A part of a message that is too long for one. */
  part(content: string, number: number): string {
    return `${this.#beginning}.part.${content}.${number}`;
  }

  /** Publishers differ about a block. */
  alarm(hash: Uint8Array): string {
    return `${this.#beginning}.alarm.${toHex(hash)}`;
  }
}
