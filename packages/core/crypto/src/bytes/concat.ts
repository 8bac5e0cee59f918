/** Puts runs of bytes after each other into a new one. @spec 30 §2 */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (let i = 0; i < parts.length; i++) length += parts[i]!.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (let i = 0; i < parts.length; i++) {
    whole.set(parts[i]!, offset);
    offset += parts[i]!.length;
  }
  return whole;
}
