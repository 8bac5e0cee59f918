import { longestChunkBytes } from "@vedette/snapshot/chunk";
import type { BlockFacts } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";

/**
 * The body of a message that was too long for one, from its parts.
 *
 * @throws {StreamError} `gap`: one is not there; `refused`: they are longer than any message may be; `unusable`
 */
export async function fetchBody(
  { hash, number, publisher: by, parts }: BlockFacts,
  find: (number: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const found: Uint8Array[] = [];
  let length = 0;
  for (let at = 0; at < parts; at += 1) {
    const part = await find(at);
    if (part === undefined)
      throw new StreamError({ code: "gap", hash, number, reason: `part ${at} of its message is not there` });
    found.push(part);
    length += part.length;
    if (length > longestChunkBytes)
      throw new StreamError({ code: "refused", hash, number, by, reason: "its message is longer than any may be" });
  }
  return new Uint8Array(Buffer.concat(found, length));
}
