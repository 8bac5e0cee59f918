import { EncodedBody } from "@vedette/queries";

/** The options of an answer beside its text. */
export interface JsonTextOptions {
  /** Whether it stays as it is, although other answers of the route change. */
  readonly isSettled?: boolean;
  readonly status?: number;
}

/** An answer that was printed already. */
export class JsonText {
  readonly printed: EncodedBody;
  readonly isSettled: boolean;
  readonly status: number;

  constructor(text: string | EncodedBody, { isSettled = false, status = 200 }: JsonTextOptions = {}) {
    this.printed = typeof text === "string" ? new EncodedBody(text) : text;
    this.isSettled = isSettled;
    this.status = status;
  }
}
