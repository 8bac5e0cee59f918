import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LmdbStore, StoreError, tablesOf } from "@vedette/store";
import { isDirectoryLocked } from "../machine/dataDirectory.js";
import { bad, type Diagnosis, good, warningDiagnosis } from "./Diagnosis.js";

const gib = 2 ** 30;
/** Below the first a node soon stops, below the second it should have more. */
const [minBytes, fewBytes] = [gib, 10 * gib];

/** Linux's types of file systems with locks or a lifetime that do not suit a store. */
const fileSystems: ReadonlyMap<number, { readonly name: string; readonly trouble?: "remote" | "memory" | "layer" }> =
  new Map([
    [0xef53, { name: "ext" }],
    [0x58465342, { name: "XFS" }],
    [0x9123683e, { name: "Btrfs" }],
    [0x2fc12fc1, { name: "ZFS" }],
    [0xf2f52010, { name: "F2FS" }],
    [0x6969, { name: "NFS", trouble: "remote" }],
    [0xff534d42, { name: "CIFS", trouble: "remote" }],
    [0xfe534d42, { name: "SMB", trouble: "remote" }],
    [0x01021997, { name: "9P", trouble: "remote" }],
    [0x01021994, { name: "tmpfs", trouble: "memory" }],
    [0x858458f6, { name: "ramfs", trouble: "memory" }],
    [0x794c7630, { name: "overlay", trouble: "layer" }],
  ]);

/** The facts about a directory's disk. */
export interface DiskFacts {
  readonly freeBytes: number;
  /** As `statfs` numbers file systems. */
  readonly type: number;
}

/** Whether a node can keep its data at a path; nothing is changed. */
export async function examineDisk(path: string): Promise<Diagnosis[]> {
  const there = nearest(path);
  const about = "Data directory";
  try {
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const advice = `Give it to the user that runs the node, or choose another --data-dir.`;
    return [bad(about, `${there} cannot be written by this user.`, advice)];
  }
  const { bavail, bsize, type } = statfsSync(there);
  const facts = { freeBytes: bavail * bsize, type };
  const begins = there === resolve(path) ? [] : [good(about, `${path} is not there yet; the first start makes it.`)];
  if (begins.length > 0) return [...begins, ...diskFindings(there, facts)];
  return [...diskFindings(there, facts), await lockFinding(there), ...(await formatFindings(there))];
}

/** Returns the findings about a disk. */
export function diskFindings(path: string, { freeBytes, type }: DiskFacts): Diagnosis[] {
  const free = `${(freeBytes / gib).toFixed(1)} GiB free at ${path}.`;
  const more = "Make room, or choose a --data-dir on a larger disk.";
  const space =
    freeBytes < minBytes
      ? bad("Space", free, more)
      : freeBytes < fewBytes
        ? warningDiagnosis("Space", free, more)
        : good("Space", free);
  return [space, fileSystemFinding(fileSystems.get(type))];
}

function fileSystemFinding(known: { readonly name: string; readonly trouble?: string } | undefined): Diagnosis {
  const about = "File system";
  switch (known?.trouble) {
    case "remote":
      return bad(
        about,
        `${known.name} lies on another machine, where a store's locks and syncs do not hold.`,
        "Use a disk of this machine.",
      );
    case "memory":
      return warningDiagnosis(
        about,
        `${known.name} is memory: everything is gone when the machine ends.`,
        "Use a disk.",
      );
    case "layer":
      return warningDiagnosis(
        about,
        `${known.name} belongs to a container: everything is gone with it.`,
        "Mount a volume or a folder of the host.",
      );
    default:
      return good(about, `${known?.name ?? "of another kind than those known to be unfit"}.`);
  }
}

async function lockFinding(path: string): Promise<Diagnosis> {
  const isLocked = await isDirectoryLocked(path);
  return good("Lock", isLocked ? "a node runs on this directory." : "no node runs on this directory.");
}

async function formatFindings(path: string): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for (const name of ["chain", "state"] as const) {
    const place = join(path, name);
    if (!existsSync(join(place, "data.mdb"))) continue;
    try {
      await new LmdbStore(place, { tables: tablesOf(name), readOnly: true }).close();
      findings.push(good("Store", `${place} has this version's format.`));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      findings.push(bad("Store", error.message, "Begin with an empty data directory; the chain is fetched again."));
    }
  }
  return findings;
}

/** The path, or the nearest folder above it that is there. */
function nearest(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) || dirname(whole) === whole ? whole : nearest(dirname(whole));
}
