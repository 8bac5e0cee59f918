import { readFileSync, writeFileSync } from "node:fs";

/** Changes bits of a file at places that the numbers from 0 to 1 choose. @returns the places, in bytes */
export function flipBits(path: string, count: number, random: () => number): readonly number[] {
  const bytes = readFileSync(path);
  const places = Array.from({ length: count }, () => Math.floor(random() * bytes.length));
  for (const place of places) bytes[place]! ^= 1 << Math.floor(random() * 8);
  writeFileSync(path, bytes);
  return places;
}
