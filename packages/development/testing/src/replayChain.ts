import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { chainDirectory } from "./recorded.js";

const cli = fileURLToPath(new URL("../../../program/cli", import.meta.url));
const program = join(cli, "bin/vedette.js");
const replayed = fileURLToPath(new URL("../../../../node_modules/.cache/replayed", import.meta.url));
const replayMs = 300_000;

/**
 * Fills a data directory with a chain, recorded (of either node) or our own, as `vedette replay` leaves it. Each build of the program
 * replays a chain once; later callers get a copy.
 *
 * @param dataDir need not exist
 * @throws Error with the program's output
 */
export async function replayChain(chain: string, dataDir: string): Promise<void> {
  const source = chainDirectory(chain);
  const made = join(folderOfBuild(), nameOf(source));
  if (!existsSync(made)) await replayInto(source, made);
  // Lock files are left out: no process has the copy open.
  cpSync(made, dataDir, { recursive: true, filter: (path) => !/\/(\.lock|lock\.mdb)$/.test(path) });
}

/** Those of other builds go. */
function folderOfBuild(): string {
  const build = readFileSync(join(cli, "dist/bundle.stamp"), "utf8").slice(0, 16);
  const folder = join(replayed, build);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(replayed)) if (other !== build) rmSync(join(replayed, other), { recursive: true });
  return folder;
}

function nameOf(source: string): string {
  const blocks = join(source, "blocks.bin");
  const { size, mtimeMs } = statSync(existsSync(blocks) ? blocks : `${blocks}.gz`);
  const hash = createHash("sha256").update(`${source} ${size} ${mtimeMs}`).digest("hex");
  return `${basename(source)}-${hash.slice(0, 16)}`;
}

async function replayInto(source: string, place: string): Promise<void> {
  const folder = mkdtempSync(`${place}-`);
  try {
    const files = unpacked(source, join(folder, "source"));
    await promisify(execFile)(process.execPath, [program, "replay", files, "--data-dir", folder], {
      timeout: replayMs,
    });
    rmSync(join(folder, "source"), { recursive: true, force: true });
    renameSync(folder, place);
  } catch (error) {
    // Another test had it first.
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder of a chain without compressed files: itself, or a copy. */
function unpacked(source: string, copy: string): string {
  const names = readdirSync(source);
  if (!names.some((name) => name.endsWith(".gz"))) return source;
  mkdirSync(copy);
  for (const name of names) {
    const bytes = readFileSync(join(source, name));
    writeFileSync(join(copy, name.replace(/\.gz$/, "")), name.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  }
  return copy;
}
