import { createHash } from "node:crypto";

/** A text that may be sent often: its bytes and their tag are made once. */
export class EncodedBody {
  readonly #text: string;
  #bytes: Buffer | undefined;
  #tag: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** One that was printed as bytes. */
  static made(bytes: Buffer, tag: string): EncodedBody {
    const printed = new EncodedBody("");
    printed.#bytes = bytes;
    printed.#tag = tag;
    return printed;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.#text));
  }

  /** Identifies the content: a digest of it. */
  get tag(): string {
    return (this.#tag ??= createHash("sha1").update(this.bytes).digest("base64url"));
  }
}
