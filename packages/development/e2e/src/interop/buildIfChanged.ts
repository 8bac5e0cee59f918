import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const builtFolder = fileURLToPath(new URL("../../../../../interop/.built", import.meta.url));

/** Builds something unless it was built from the very same files. @param sources files, and folders with all in them */
export async function buildIfChanged(
  name: string,
  sources: readonly string[],
  build: () => Promise<unknown>,
): Promise<void> {
  mkdirSync(builtFolder, { recursive: true });
  const mark = join(builtFolder, `${name}.sha256`);
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesIn)) hash.update(path).update(readFileSync(path));
  const current = hash.digest("hex");
  if (readMark(mark) === current) return;
  await build();
  writeFileSync(mark, current);
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function readMark(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
