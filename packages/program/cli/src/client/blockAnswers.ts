import type { JsonValue } from "@vedette/api";
import { BlockInfoSchema, type LightBlockInfo, LightBlockInfoSchema, StatusSchema } from "@vedette/api/grpc";
import { HttpClient, type SyncProgress, waitForFinalizedBlock } from "@vedette/client";
import type { NodeClient } from "@vedette/client/node";
import { ageText, plainText, tableLines } from "@vedette/terminal";
import { httpUrl } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";
import { apiKeyHeaders } from "./CommandHost.js";
import { messageAnswer, messageJson, messageText } from "./messageAnswer.js";
import { type NodeCommand, textOption, waitMs } from "./NodeCommand.js";

/** The conditions of a node, as the node reports them. */
type NodeConditions = NonNullable<SyncProgress["conditions"]>;

/** The answer is an addition to another one, which does not wait longer for it. */
const answerMs = 3_000;

/**
 * Requests from a node's HTTP API what is wrong with it: the messages of gRPC are rnode's and have no field for that.
 *
 * @param address of the node that is meant; the answer of another node at that place is ignored
 * @returns `undefined` without an answer of that node
 */
async function nodeConditions(
  { host, options, signal }: Pick<NodeCommand, "host" | "options" | "signal">,
  address: string,
): Promise<NodeConditions | undefined> {
  const url = httpUrl(String(options["grpcHost"] ?? options["host"] ?? "localhost"), options["httpPort"]);
  try {
    const client = new HttpClient({ url, timeoutMs: answerMs, retries: 0, headers: apiKeyHeaders(host) });
    const status = await client.status({ signal });
    return status.address === address ? status.syncStatus?.conditions : undefined;
  } catch {
    return undefined;
  }
}

/** In lines for people. */
function conditionLines(conditions: NodeConditions): string[] {
  return conditions.map(({ code, since, reason, advice }) => `${code} since ${since}: ${reason}. ${advice}`);
}

/** `vedette status`: rnode's answer, and beside it what is wrong with the node. @spec 50 §5.6, §6.8 */
export async function status(command: NodeCommand): Promise<CommandAnswer> {
  const { client, host, options } = command;
  const message = await client.status();
  const { json, ...answer } = messageAnswer(StatusSchema, message);
  const conditions = await nodeConditions(command, message.address);
  if (conditions === undefined) return { ...answer, json };
  if (options["json"] !== true) for (const line of conditionLines(conditions)) host.note(plainText(line));
  return { ...answer, json: { ...(json as object), conditions } as JsonValue };
}

/** `vedette block <hash>`. @spec 50 §5.6 */
export async function block({ client, options }: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const message = await client.block(requireHash(given ?? textOption(options, "blockHash")));
  return messageAnswer(BlockInfoSchema, message);
}

/** `vedette last-finalized-block`. @spec 50 §5.6 */
export async function lastFinalizedBlock({ client }: NodeCommand): Promise<CommandAnswer> {
  const message = await client.lastFinalizedBlock();
  return messageAnswer(BlockInfoSchema, message);
}

/** `vedette blocks [depth]`: one line a block, newest first; with heights, oldest first. @spec 50 §8.1 */
export async function blocks(command: NodeCommand, depth: number | undefined): Promise<CommandAnswer> {
  const { client, options, host } = command;
  if (textOption(options, "blockHash") !== undefined) return block(command, undefined);
  const start = options["startBlock"] as bigint | undefined;
  const end = options["endBlock"] as bigint | undefined;
  const given = (options["depth"] ?? options["number"]) as number | undefined;
  if (start === undefined && end === undefined) return blockList(await client.blocks(depth ?? given ?? 1), host);
  if (start === undefined || end === undefined || start > end) {
    throw new CommandError({
      code: "missingArgument",
      expected: "both heights, the lower one as -s and the higher one as -e",
    });
  }
  return blockList(await client.blocksByHeights(start, end), host);
}

/** `vedette show-blocks`, in rnode's form. @spec 50 §5.6 */
export async function showBlocks({ client, options }: NodeCommand): Promise<CommandAnswer> {
  const list = await client.blocks(options["depth"] as number);
  const texts = list.map((each) => {
    const head = `------------- block ${each.blockNumber} ---------------`;
    const foot = "-----------------------------------------------------";
    return `\n${head}\n${messageText(LightBlockInfoSchema, each)}\n${foot}\n`;
  });
  return { text: `${texts.join("\n")}\ncount: ${list.length}\n`, json: listJson(list) };
}

/** `vedette show-main-chain`: from a tip down its main parents. @spec 50 §8.1 */
export async function mainChain({ client, options, host }: NodeCommand): Promise<CommandAnswer> {
  return blockList(await client.mainChain(options["depth"] as number), host);
}

/** `vedette is-finalized <hash>`: no is exit code 1. @spec 50 §5.6 */
export async function isFinalized(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const { client, options, signal } = command;
  const blockHash = await resolveBlockHash(client, given ?? textOption(options, "blockHash"));
  if (options["wait"] === true) await waitForFinalizedBlock(client, blockHash, { timeoutMs: waitMs(options), signal });
  const isYes = await client.isFinalized(blockHash);
  return {
    text: isYes ? "Block is finalized" : "Block is not finalized",
    json: { blockHash, isFinalized: isYes },
    exitCode: isYes ? exitCodes.success : exitCodes.failure,
  };
}

/** `vedette dag`: as Graphviz text. @spec 50 §3.6, §5.6 */
export async function dag({ client, options }: NodeCommand): Promise<CommandAnswer> {
  const showJustificationLines = options["justifications"] === true || options["showJustificationlines"] === true;
  const graphviz = await client.visualizeDag({ depth: options["depth"] as number, showJustificationLines });
  if (graphviz === "") throw emptyAnswer("no DAG");
  return { text: graphviz, json: { graphviz } };
}

/** `vedette mvdag`: one line for a block and one of its parents. @spec 50 §5.6 */
export async function mvdag({ client }: NodeCommand): Promise<CommandAnswer> {
  const text = await client.machineVerifiableDag();
  const lines = text.split("\n").filter((line) => line !== "");
  const edges = lines.map((line): JsonValue => {
    const [blockHash = "", parentHash = ""] = line.split(" ");
    return { blockHash, parentHash };
  });
  return { text, json: edges };
}

function blockList(list: readonly LightBlockInfo[], host: CommandHost): CommandAnswer {
  // Quirk 50 §3.2: a limit that is exceeded, and a node that has not joined yet, give an empty stream.
  if (list.length === 0) throw emptyAnswer("no blocks");
  const text = host.isTerminal ? blockTable(list, Date.now()) : list.map(blockLine);
  return { text: text.join("\n"), json: listJson(list) };
}

const columns = [
  { title: "block", isNumber: true },
  { title: "hash" },
  { title: "made by" },
  { title: "when" },
  { title: "deploys", isNumber: true },
  { title: "fault tolerance", isNumber: true },
];
const shownDigits = 12;

/** For people: short hashes, and how long ago beside the time. */
function blockTable(list: readonly LightBlockInfo[], nowMs: number): string[] {
  const rows = list.map(({ blockNumber, blockHash, sender, timestamp, deployCount, faultTolerance }) => [
    `#${blockNumber}`,
    `${blockHash.slice(0, shownDigits)}…`,
    sender === "" ? "genesis" : `${sender.slice(0, shownDigits)}…`,
    isTime(timestamp)
      ? `${timeText(timestamp).slice(0, 19)}Z, ${ageText(Number(timestamp), nowMs)}`
      : timeText(timestamp),
    String(deployCount),
    faultTolerance.toFixed(2),
  ]);
  return tableLines(columns, rows);
}

function emptyAnswer(what: string): CommandError {
  return new CommandError({
    code: "unexpectedAnswer",
    what: `The node sent ${what}: it has not joined its network yet, or the request exceeds its limit (50 blocks unless configured)`,
  });
}

function listJson(list: readonly LightBlockInfo[]): JsonValue {
  return list.map((each) => messageJson(LightBlockInfoSchema, each));
}

const shownSender = 16;

function blockLine({ blockNumber, blockHash, sender, timestamp, deployCount, faultTolerance }: LightBlockInfo): string {
  const senderText = sender === "" ? "genesis" : sender.slice(0, shownSender);
  const columns = [
    `#${blockNumber}`,
    blockHash,
    senderText.padEnd(shownSender),
    timeText(timestamp),
    `${deployCount} deploys`,
  ];
  return `${columns.join("  ")}  fault tolerance ${faultTolerance.toFixed(2)}`;
}

// A Date reaches this far; a hostile node may send anything.
const latestTimeMs = 8_640_000_000_000_000n;

function isTime(timestamp: bigint): boolean {
  return timestamp >= 0n && timestamp <= latestTimeMs;
}

function timeText(timestamp: bigint): string {
  return isTime(timestamp) ? new Date(Number(timestamp)).toISOString() : `${timestamp} ms`;
}

/**
 * The hash that a user means: some methods of nodes take nothing but all of it.
 *
 * @throws {CommandError} `missingArgument`, `badArgument`; {ClientError} `refused` where no block, or several, begin so
 */
export async function resolveBlockHash(client: NodeClient, text: string | undefined): Promise<string> {
  const hash = requireHash(text);
  if (hash.length === wholeLength) return hash;
  return (await client.block(hash)).blockInfo?.blockHash ?? hash;
}

const wholeLength = 64;

/** @throws {CommandError} `missingArgument`, `badArgument` */
function requireHash(text: string | undefined): string {
  if (text === undefined) throw new CommandError({ code: "missingArgument", expected: "the block's hash" });
  const hash = text.trim().replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{6,64}$/.test(hash)) {
    throw new CommandError({ code: "badArgument", name: "The block's hash", expected: "6 to 64 hexadecimal digits" });
  }
  return hash.toLowerCase();
}
