import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The file that lists the checksums of the files below its folder, in the form of `sha256sum`. */
const checksumFile = "SHA256SUMS";

/** A file with content that does not match its checksum. */
export interface DamagedFile {
  readonly path: string;
  readonly reason: string;
}

/**
 * Compares files with the checksums beside or above them.
 *
 * @param path  a folder or a file: the checksum file in its folder is read, or the one up to two levels above
 * @param files files at or below `path` that must be listed
 * @returns the files that are missing, not listed, or of another content; none where there is no checksum file
 */
export function findDamagedFiles(path: string, files: readonly string[]): readonly DamagedFile[] {
  const folder = statSync(path).isFile() ? dirname(path) : path;
  const list = [".", "..", "../.."].map((above) => join(folder, above, checksumFile)).find(existsSync);
  if (list === undefined) return [];
  const sums = readSums(list);
  const unlisted = files
    .filter((file) => !sums.has(file))
    .map((file) => ({ path: file, reason: `it is not listed in ${list}` }));
  const listed = [...sums].filter(([file]) => !relative(path, file).startsWith(".."));
  return [...unlisted, ...listed.flatMap(([file, sum]) => damageOf(file, sum, list))];
}

function readSums(list: string): ReadonlyMap<string, string> {
  const lines = readFileSync(list, "utf8").split("\n");
  return new Map(
    lines.flatMap((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
      return sum === undefined || name === undefined ? [] : [[join(dirname(list), name), sum] as const];
    }),
  );
}

function damageOf(path: string, sum: string, list: string): readonly DamagedFile[] {
  if (!existsSync(path)) return [{ path, reason: `it is missing, and ${list} lists it` }];
  const actual = createHash("sha256").update(readFileSync(path)).digest("hex");
  return actual === sum ? [] : [{ path, reason: `its content is not the one that ${list} lists` }];
}
