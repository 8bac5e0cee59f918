/** Bytes that are made a text at once, a multiple of three: each piece ends where a group of digits ends. */
const pieceBytes = 24_576;

/** Bytes in base 64, with padding (RFC 4648 §4). @cost grows with the bytes */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes))));
  return pieces.join("");
}
