import { type JsonInput, JsonNumber, parseJson, printIndented } from "@vedette/api";
import { ApiError } from "../query/ApiError.js";

/** A body that cannot be read. @spec 50 §1.3, §1.10 */
export class BodyError extends ApiError {
  /** As the versioned API tells it. */
  readonly wholeText: string;

  constructor(message: string, wholeText = message) {
    super(message);
    this.name = "BodyError";
    this.wholeText = wholeText;
  }
}

/** What does not fit the request's type. */
const unfitting = Symbol("unfitting");

/** Longest text of an error, before the dots that always follow. @spec 50 §1.3 */
const longestText = 250;
/** Ours, for the versioned API, where the reference has no bound. */
const longestWholeText = 10_000;

/** Reads a body by its type. @throws {BodyError} in the reference's words @spec 50 §1.3, §1.6 */
export function readBody<T>(body: string | undefined, read: (value: BodyValue) => T): T {
  if (body === undefined || body === "") throw new BodyError("Malformed message body: Invalid JSON: empty body");
  const json = parseJson(body);
  if (json === undefined) throw new BodyError("Malformed message body: Invalid JSON");
  try {
    return read(new BodyValue(json));
  } catch (error) {
    if (error !== unfitting) throw error;
    const text = `Invalid message body: Could not decode JSON: ${printIndented(json, longestWholeText)}`;
    throw new BodyError(`${text.slice(0, longestText)}...`, text.slice(0, longestWholeText));
  }
}

/**
 * A value of a body that is to be of some type; what is of another makes the whole body unreadable.
 *
 * @spec 50 §1.6
 */
export class BodyValue {
  readonly #json: JsonInput | undefined;

  constructor(json: JsonInput | undefined) {
    this.#json = json;
  }

  /** A member of an object; it may be absent as long as nobody asks for its value. */
  member(name: string): BodyValue {
    if (!(this.#json instanceof Map)) throw unfitting;
    return new BodyValue(this.#json.get(name));
  }

  text(): string {
    if (typeof this.#json !== "string") throw unfitting;
    return this.#json;
  }

  flag(): boolean {
    if (typeof this.#json !== "boolean") throw unfitting;
    return this.#json;
  }

  /** A signed integer of 64 bits, as a number or as text. */
  long(): bigint {
    return this.#integer(64);
  }

  /** A signed integer of 32 bits, as a number or as text. */
  int(): number {
    return Number(this.#integer(32));
  }

  /** The one of these members that an object has. */
  choice<Name extends string>(names: readonly Name[]): { readonly name: Name; readonly value: BodyValue } {
    const json = this.#json;
    if (!(json instanceof Map)) throw unfitting;
    const name = names.find((one) => json.has(one));
    if (name === undefined) throw unfitting;
    return { name, value: this.member(name) };
  }

  #integer(bits: number): bigint {
    const json = this.#json;
    const text = json instanceof JsonNumber ? json.text : json;
    const value = typeof text === "string" ? integerOf(text) : undefined;
    if (value === undefined || BigInt.asIntN(bits, value) !== value) throw unfitting;
    return value;
  }
}

/** A decimal number without a fraction, also when it is written with one or with an exponent. */
function integerOf(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const shift = Number(exponent) - fraction.length;
  if (shift > 40) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const magnitude = shift < 0 ? digits / scale : digits * scale;
  return sign === "-" ? -magnitude : magnitude;
}
