import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it that are not there. Node's own function does not return if a file system, as that
 * of `/proc`, reports ENOENT for a new folder.
 *
 * @throws the file system's error
 */
export function makeFolders(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  if (missing.length === 0) mkdirSync(path, { recursive: true, mode });
  for (const folder of missing.reverse()) mkdirSync(folder, { mode });
}
