import type { Store, WritableTables } from "@vedette/store";
import * as Type from "typebox";
import { Check } from "typebox/value";

const place = Type.Object({
  stream: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  /** Whether the stream was seen to be of the replica's own chain. */
  isJoined: Type.Optional(Type.Boolean()),
});
const key = Uint8Array.of(0);

/** How far a replica is: the last message of a stream that it has taken. */
export type StreamPosition = Type.Static<typeof place>;

/** @returns `undefined` where none is noted */
export function readPlace(store: Store): StreamPosition | undefined {
  const bytes = store.table("followed").get(key);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Check(place, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the place, in the transaction of what was taken. */
export function writePlace(tables: WritableTables, { stream, sequence, isJoined }: StreamPosition): void {
  const value = { stream, sequence, ...(isJoined === true ? { isJoined } : {}) };
  tables("followed").put(key, new TextEncoder().encode(JSON.stringify(value)));
}
