/**
 * Values of a feed as JSON, for nodes and indexes of different versions: what JSON has not is an object of one member,
 * `{"$n": "12"}` for integers of any length, `{"$b": "…"}` for bytes in base64.
 */
export function feedJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => {
    if (typeof one === "bigint") return { $n: String(one) };
    if (one instanceof Uint8Array) return { $b: Buffer.from(one).toString("base64") };
    return one;
  });
}

/** @throws {SyntaxError} for what is no such JSON */
export function parseFeedJson(text: string): unknown {
  return JSON.parse(text, (_key, one: unknown) => {
    if (typeof one !== "object" || one === null) return one;
    const { $n: integer, $b: bytes } = one as { readonly $n?: unknown; readonly $b?: unknown };
    if (typeof integer === "string" && /^-?\d{1,30}$/.test(integer)) return BigInt(integer);
    if (typeof bytes === "string") return new Uint8Array(Buffer.from(bytes, "base64"));
    return one;
  });
}
