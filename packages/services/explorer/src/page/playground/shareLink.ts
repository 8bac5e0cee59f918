import { toBase64 } from "@vedette/crypto";

/** Characters that a program in a link may have; browsers and chats cut longer links. */
export const maxShared = 40_000;
/** The limit of the unpacked text: a short link may unpack to much. */
const maxBytes = 4 * maxShared;

/** The fragment of an address that holds a program: it is never sent to any server. */
export async function linkOf(source: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(source), new CompressionStream("deflate-raw"), maxBytes);
  return `#p=${toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The program in a fragment; `undefined` where there is none, or what there is is damaged or too large. */
export async function programOf(fragment: string): Promise<string | undefined> {
  const text = /^#p=([\w-]+)$/.exec(fragment)?.[1];
  if (text === undefined || text.length > maxBytes) return undefined;
  try {
    const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), maxBytes);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const whole = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>);
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = whole.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
    pieces.push(piece.value);
  }
  const all = new Uint8Array(size);
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}
