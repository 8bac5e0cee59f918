import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, type Dialect, shortHash } from "@vedette/protocol";
import type { LightUpdate } from "../LightUpdate.js";
import type { TrustedBlock } from "../TrustedBlock.js";
import { verifyPath } from "../verifyPath.js";
import type { LightServer } from "./LightServer.js";
import { reportFailure, type ServerReport } from "./ServerReport.js";

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
  let reason = "";
  for (const { server } of [newest, other]) {
    try {
      const blocks = await server.path(newest.target.hash, { number });
      const path = verifyPath(newest.target.hash, blocks, { dialect, isMain: true });
      if (reaches(path, number)) return equalBytes(path.at(-1)!.hash, hash);
      reason = `${server.url} does not show the blocks in between`;
    } catch (error) {
      reason = reportFailure(server.url, error).reason;
    }
  }
  return reason;
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
