import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, type Dialect, shortHash } from "@vedette/protocol";
import { maxPathBlocks } from "../findPath.js";
import type { LightUpdate } from "../LightUpdate.js";
import type { TrustedBlock } from "../TrustedBlock.js";
import { verifyPath } from "../verifyPath.js";
import type { LightServer } from "./LightServer.js";
import { reportFailure, type ServerReport } from "./ServerReport.js";

/** Paths that one comparison fetches: targets may be 4,080 heights apart. */
const maxPaths = 16;

/** A verified target, and the server that has shown it. */
export interface ShownTarget {
  readonly server: LightServer;
  readonly update: LightUpdate;
  readonly target: TrustedBlock;
}

/**
 * Two targets that exclude each other, each with valid evidence: at least the tolerated stake has signed both, or a
 * client trusts a wrong block. The updates prove it to all clients that trust the same block.
 *
 * @spec 70 §9
 */
export interface Conflict {
  readonly one: { readonly url: string; readonly update: LightUpdate; readonly target: TrustedBlock };
  readonly other: { readonly url: string; readonly update: LightUpdate; readonly target: TrustedBlock };
}

/** The result of a comparison. */
export interface Comparison {
  readonly newest: ShownTarget | undefined;
  readonly conflict: Conflict | undefined;
  readonly reports: readonly ServerReport[];
}

/**
 * Compares what servers have shown: each lower target must lie on the main chain of the newest one.
 *
 * @spec 70 §9
 */
export async function compareTargets(shown: readonly ShownTarget[], dialect: Dialect): Promise<Comparison> {
  const [newest, ...others] = [...shown].sort((left, right) => Number(right.target.number - left.target.number));
  if (newest === undefined) return { newest, conflict: undefined, reports: [] };
  let conflict: Conflict | undefined;
  const reports: ServerReport[] = [agreeing(newest, "shows the newest block")];
  for (const other of others) {
    const { server, target } = other;
    const fits = await liesOn(newest, other, dialect);
    if (fits === true) {
      const isBehind = target.number < newest.target.number;
      reports.push(agreeing(other, isBehind ? "shows an older block of the same chain" : "shows the newest block"));
    } else if (fits === false) {
      conflict ??= { one: placeOf(newest), other: placeOf(other) };
      reports.push({ url: server.url, state: "conflict", reason: conflictText(other, newest), target });
      reports[0] = { ...reports[0]!, state: "conflict", reason: conflictText(newest, other) };
    } else
      reports.push({
        url: server.url,
        state: "unclear",
        reason: `cannot compare its target with the newest: ${fits}`,
        target,
      });
  }
  return { newest, conflict, reports };
}

/** @returns the reason where it cannot be decided */
async function liesOn(newest: ShownTarget, other: ShownTarget, dialect: Dialect): Promise<boolean | string> {
  const { hash, number } = other.target;
  if (number === newest.target.number) return equalBytes(hash, newest.target.hash);
  const reasons: string[] = [];
  for (const { server } of [newest, other]) {
    try {
      const found = await mainBlockAt(number, newest.target, { server, dialect });
      if (typeof found !== "string") return equalBytes(found, hash);
      reasons.push(found);
    } catch (error) {
      reasons.push(`${server.url}: ${reportFailure(server.url, error).reason}`);
    }
  }
  return reasons.join("; ");
}

/** The hash of the main chain's block at a number below a verified block, path by path, or why it is not known. */
async function mainBlockAt(
  number: bigint,
  from: Pick<TrustedBlock, "hash" | "number">,
  { server, dialect }: { readonly server: LightServer; readonly dialect: Dialect },
): Promise<Uint8Array | string> {
  let above = from;
  for (let count = 0; count < maxPaths && above.number > number; count += 1) {
    const lowest = above.number - BigInt(maxPathBlocks - 1);
    const end = lowest > number ? lowest : number;
    const path = verifyPath(above.hash, await server.path(above.hash, { number: end }), { dialect, isMain: true });
    if (!reaches(path, end)) return `${server.url} does not show the blocks in between`;
    above = path.at(-1)!;
  }
  return above.number > number ? `more than ${maxPaths} paths of ${maxPathBlocks} blocks lie between them` : above.hash;
}

function reaches(path: readonly Block[], number: bigint): boolean {
  return path.at(-1)!.number <= number && path.slice(0, -1).every((block) => block.number > number);
}

function agreeing({ server: { url }, target }: ShownTarget, reason: string): ServerReport {
  return { url, state: "agrees", reason, target };
}

function placeOf({ server: { url }, update, target }: ShownTarget): Conflict["one"] {
  return { url, update, target };
}

function conflictText(own: ShownTarget, other: ShownTarget): string {
  const place = ({ target: { hash, number } }: ShownTarget) => `${shortHash(hash)} at ${number}`;
  return `shows ${place(own)}, which excludes ${place(other)} of ${other.server.url}; both have valid signatures of enough validators, so that it is not known which server is wrong (evidence: ${toHex(own.target.hash)}, ${toHex(other.target.hash)})`;
}
