import type { JsonValue } from "@vedette/api";
import { BlockInfoSchema, type LightBlockInfo, LightBlockInfoSchema, StatusSchema } from "@vedette/api/grpc";
import { waitForFinalizedBlock } from "@vedette/client";
import { exitCodes } from "../exitCodes.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import { messageJson } from "./messageJson.js";
import { messageText } from "./messageText.js";
import { type NodeCommand, textOption, waitMs } from "./NodeCommand.js";

/** `vedette status`. @spec 50 §5.6 */
export async function status({ client }: NodeCommand): Promise<CommandAnswer> {
  const message = await client.status();
  return { text: messageText(StatusSchema, message), json: messageJson(StatusSchema, message) };
}

/** `vedette block <hash>`. @spec 50 §5.6 */
export async function block({ client, options }: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const message = await client.block(requireHash(given ?? textOption(options, "blockHash")));
  return { text: messageText(BlockInfoSchema, message), json: messageJson(BlockInfoSchema, message) };
}

/** `vedette last-finalized-block`. @spec 50 §5.6 */
export async function lastFinalizedBlock({ client }: NodeCommand): Promise<CommandAnswer> {
  const message = await client.lastFinalizedBlock();
  return { text: messageText(BlockInfoSchema, message), json: messageJson(BlockInfoSchema, message) };
}

/** `vedette blocks [depth]`: one line a block, newest first; with heights, oldest first. @spec 50 §8.1 */
export async function blocks(command: NodeCommand, depth: number | undefined): Promise<CommandAnswer> {
  const { client, options } = command;
  if (textOption(options, "blockHash") !== undefined) return block(command, undefined);
  const start = options["startBlock"] as bigint | undefined;
  const end = options["endBlock"] as bigint | undefined;
  const given = (options["depth"] ?? options["number"]) as number | undefined;
  if (start === undefined && end === undefined) return blockList(await client.blocks(depth ?? given ?? 1));
  if (start === undefined || end === undefined || start > end) {
    throw new CommandError({
      code: "missingArgument",
      expected: "both heights, the lower one as -s and the higher one as -e",
    });
  }
  return blockList(await client.blocksByHeights(start, end));
}

/** `vedette show-blocks`, in the reference's form. @spec 50 §5.6 */
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
export async function mainChain({ client, options }: NodeCommand): Promise<CommandAnswer> {
  return blockList(await client.mainChain(options["depth"] as number));
}

/** `vedette is-finalized <hash>`: no is exit code 1. @spec 50 §5.6 */
export async function isFinalized(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const { client, options, signal } = command;
  const blockHash = requireHash(given ?? textOption(options, "blockHash"));
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

function blockList(list: readonly LightBlockInfo[]): CommandAnswer {
  // Quirk 50 §3.2: a limit that is exceeded, and a node that has not joined yet, give an empty stream.
  if (list.length === 0) throw emptyAnswer("no blocks");
  return { text: list.map(blockLine).join("\n"), json: listJson(list) };
}

function emptyAnswer(what: string): CommandError {
  return new CommandError({
    code: "unexpectedAnswer",
    what: `The node sent ${what}: it has not joined its network yet, or more was asked for than it allows (50 blocks unless configured)`,
  });
}

function listJson(list: readonly LightBlockInfo[]): JsonValue {
  return list.map((each) => messageJson(LightBlockInfoSchema, each));
}

const shownSender = 16;

function blockLine({ blockNumber, blockHash, sender, timestamp, deployCount, faultTolerance }: LightBlockInfo): string {
  const who = sender === "" ? "genesis" : sender.slice(0, shownSender);
  const columns = [
    `#${blockNumber}`,
    blockHash,
    who.padEnd(shownSender),
    timeText(timestamp),
    `${deployCount} deploys`,
  ];
  return `${columns.join("  ")}  fault tolerance ${faultTolerance.toFixed(2)}`;
}

// A Date reaches this far; a hostile node may say anything.
const latestTimeMs = 8_640_000_000_000_000n;

function timeText(timestamp: bigint): string {
  const isTime = timestamp >= 0n && timestamp <= latestTimeMs;
  return isTime ? new Date(Number(timestamp)).toISOString() : `${timestamp} ms`;
}

/** @throws {CommandError} `missingArgument`, `badArgument` */
export function requireHash(text: string | undefined): string {
  if (text === undefined) throw new CommandError({ code: "missingArgument", expected: "the block's hash" });
  const hash = text.trim().replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{6,64}$/.test(hash)) {
    throw new CommandError({ code: "badArgument", name: "The block's hash", expected: "6 to 64 hexadecimal digits" });
  }
  return hash.toLowerCase();
}
