import type { JsonValue } from "@vedette/api";
import { ClientError, type PosQuery } from "@vedette/client";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { tableLines } from "@vedette/terminal";
import type { Par } from "@vedette/terms";
import { exitCodes } from "../exitCodes.js";
import { printAmount } from "./amount.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import { findKeyOf, type NodeCommand, textOption } from "./NodeCommand.js";
import { networkToken } from "./networkFacts.js";
import { queryPos } from "./stateAnswers.js";

/** `vedette bonds`: the stakes in the last finalized block. @spec 50 §8.1 */
export async function bonds(command: NodeCommand): Promise<CommandAnswer> {
  const { client, host } = command;
  const { blockInfo } = await client.lastFinalizedBlock();
  const token = await networkToken(command);
  const list = (blockInfo?.bonds ?? []).map(({ validator, stake }) => ({ validator, stake }));
  const total = list.reduce((sum, { stake }) => sum + stake, 0n);
  const rows = list.map(({ validator, stake }) => ({ validator, stake, shown: printAmount(stake, token) }));
  const lines = rows.map(({ validator, shown }) => `${validator}  ${shown}`);
  const cells = rows.map(({ validator, stake, shown }) => [shortKey(validator), shown, shareText(stake, total)]);
  return {
    text: [
      ...(host.isTerminal ? tableLines(bondColumns, cells) : lines),
      `${list.length} validators, ${printAmount(total, token)} in all, at block #${blockInfo?.blockNumber}`,
    ].join("\n"),
    json: list,
  };
}

const bondColumns = [{ title: "validator" }, { title: "stake", isNumber: true }, { title: "share", isNumber: true }];
const shownDigits = 12;

/** Shortens a key to both ends: all keys of one curve begin with 04, so the end is needed too. */
function shortKey(key: string): string {
  return key.length > 2 * shownDigits ? `${key.slice(0, shownDigits)}…${key.slice(-4)}` : key;
}

function shareText(part: bigint, total: bigint): string {
  return total <= 0n ? "–" : `${(Number((part * 1_000n) / total) / 10).toFixed(1)} %`;
}

/** `vedette active-validators`: the validators that may propose in the current epoch. @spec 50 §8.1 */
export async function activeValidators(command: NodeCommand): Promise<CommandAnswer> {
  const keys = await activeKeys(command);
  if (keys === undefined) {
    throw new CommandError({
      code: "unexpectedAnswer",
      what: "The proof-of-stake contract did not return the active validators",
    });
  }
  return { text: keys.join("\n"), json: keys };
}

/** `vedette bond-status <key>`: no is exit code 1. @spec 50 §5.6 */
export async function bondStatus(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const publicKey = await publicKeyOf(command, given);
  const isBonded = await command.client.isBonded(publicKey);
  return {
    text: isBonded ? "Validator is bonded" : "Validator is not bonded",
    json: { validator: toHex(publicKey), isBonded },
    exitCode: isBonded ? exitCodes.success : exitCodes.failure,
  };
}

/** `vedette validator-status <key>`: stake, whether it proposes, and whether it is leaving. @spec 50 §8.1 */
export async function validatorStatus(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const publicKey = await publicKeyOf(command, given);
  const validator = toHex(publicKey);
  const { blockInfo } = await command.client.lastFinalizedBlock();
  const stake = blockInfo?.bonds.find((each) => each.validator === validator)?.stake;
  const isActive = (await whereExploring(() => activeKeys(command)))?.includes(validator);
  const releaseBlock = await whereExploring(() => releaseBlockOf(command, publicKey));
  const lines = [
    `Validator: ${validator}`,
    `Bonded: ${stake === undefined ? "no" : "yes"}`,
    `Stake: ${stake === undefined ? "none" : printAmount(stake, await networkToken(command))}`,
    `Active: ${isActive === undefined ? "unknown (a node with a validator key does not report it; use an observer)" : isActive ? "yes" : "no"}`,
  ];
  if (releaseBlock !== undefined) lines.push(`Leaving: stake is released at block ${releaseBlock}`);
  const json: Record<string, JsonValue> = {
    validator,
    isBonded: stake !== undefined,
    stake: stake ?? null,
    isActive: isActive ?? null,
    releaseBlock: releaseBlock ?? null,
    blockNumber: blockInfo?.blockNumber ?? null,
  };
  return { text: lines.join("\n"), json };
}

/** Runs an exploratory deploy; `undefined` on a validator, which refuses such. */
async function whereExploring<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClientError && error.failure.code === "refused") return undefined;
    throw error;
  }
}

async function activeKeys(command: NodeCommand): Promise<string[] | undefined> {
  const expr = (await queryPos(command, "getActiveValidators"))?.exprs[0];
  if (expr?.kind !== "ESet" && expr?.kind !== "EList") return undefined;
  return expr.ps.flatMap((par) => (par.exprs[0]?.kind === "GByteArray" ? [toHex(par.exprs[0].value)] : []));
}

/** Leaving takes two steps: until the end of the epoch, and through quarantine. @spec 41 §6.9.1, §6.9.4 */
async function releaseBlockOf(command: NodeCommand, publicKey: Uint8Array): Promise<bigint | undefined> {
  const pending = await entryOf(command, "getPendingWithdrawer", publicKey);
  if (pending?.exprs[0]?.kind === "GInt") return pending.exprs[0].value;
  const leaving = (await entryOf(command, "getWithdrawers", publicKey))?.exprs[0];
  const release = leaving?.kind === "ETuple" ? leaving.ps[1]?.exprs[0] : undefined;
  return release?.kind === "GInt" ? release.value : undefined;
}

async function entryOf(command: NodeCommand, query: PosQuery, publicKey: Uint8Array): Promise<Par | undefined> {
  const map = (await queryPos(command, query))?.exprs[0];
  if (map?.kind !== "EMap") return undefined;
  for (const { key, value } of map.kvs) {
    const expr = key.exprs[0];
    if (expr?.kind === "GByteArray" && equalBytes(expr.value, publicKey)) return value;
  }
  return undefined;
}

async function publicKeyOf({ options, host }: NodeCommand, given: string | undefined): Promise<Uint8Array> {
  const text = given ?? textOption(options, "publicKey");
  if (text === undefined) {
    const key = await findKeyOf(options, host);
    if (key !== undefined) return key.publicKey;
    throw new CommandError({ code: "missingArgument", expected: "the validator's public key" });
  }
  // rnode's client takes 32 bytes only, which no validator has (50 §5.6).
  if (/^(0x)?04[0-9a-fA-F]{128}$/.test(text)) return fromHex(text.replace(/^0x/, ""));
  throw new CommandError({
    code: "badArgument",
    name: "The public key",
    expected: "130 hexadecimal digits that begin with 04, as `vedette keys public` prints them",
  });
}
