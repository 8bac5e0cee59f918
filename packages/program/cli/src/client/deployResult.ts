import type { JsonValue } from "@vedette/api";
import type { DeployNote, LightBlockInfo } from "@vedette/api/grpc";
import { ClientError, isUnknownDeploy, readOutcome, waitForDeploy, waitForFinalization } from "@vedette/client";
import type { NodeClient } from "@vedette/client/node";
import { fromHex } from "@vedette/crypto";
import { type Colour, type Paint, plainText } from "@vedette/terminal";
import { GDeployId, type Par, PrintError, parOfUnforgeable, printPar } from "@vedette/terms";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import {
  commandResultOf,
  type DeployInBlock,
  type DeployResult,
  type DeployState,
  exitCodeOf,
  isReportedTerm,
  isUnanswered,
} from "./commandResult.js";
import type { DeploySummary } from "./deploySummary.js";
import { type NodeCommand, waitMs } from "./NodeCommand.js";

/** Reads a deploy id as users write it. @throws {CommandError} `badArgument` */
export function deployIdBytes(text: string | undefined): Uint8Array {
  if (text === undefined) throw new CommandError({ code: "missingArgument", expected: "the deploy id" });
  const digits = text.trim().replace(/^0x/, "");
  // The longest signature, in its DER form, has 72 bytes.
  if (!/^([0-9a-fA-F]{2}){8,80}$/.test(digits)) {
    throw new CommandError({
      code: "badArgument",
      name: "The deploy id",
      expected: "the hexadecimal digits that the deploy answered",
    });
  }
  return fromHex(digits);
}

/** Waits for a deploy and returns its state. */
export async function awaitDeploy(
  { client, host, options, signal }: NodeCommand,
  deployId: string,
  until: "included" | "finalized",
): Promise<DeployResult> {
  const waitOptions = {
    timeoutMs: waitMs(options),
    signal,
    onIncluded: ({ blockHash, blockNumber }: LightBlockInfo) => host.note(`In block #${blockNumber} ${blockHash}`),
  };
  const id = fromHex(deployId);
  const block = await (until === "finalized" ? waitForFinalization : waitForDeploy)(client, id, waitOptions);
  const status = until === "finalized" ? await finalState(client, id, block) : until;
  return { deployId, status, inBlock: await inspect(client, deployId, block) };
}

/** Returns the state of a deploy in a final block. */
async function finalState(client: NodeClient, id: Uint8Array, block: LightBlockInfo): Promise<DeployState> {
  const standing = await client.standing(id, block);
  switch (standing.status) {
    case "appliedToState":
      return "finalized";
    case "failed":
      return standing.isDecided ? "failed" : "failedSoFar";
    case "reproposed":
      return "pending";
    default:
      return standing.status;
  }
}

/** Returns the present facts about a deploy. */
export async function deployState(client: NodeClient, id: Uint8Array, deployId: string): Promise<DeployResult> {
  try {
    const block = await client.findDeploy(id);
    const isFinalized = await client.isFinalized(block.blockHash);
    const status = isFinalized ? await finalState(client, id, block) : "included";
    return { deployId, status, inBlock: await inspect(client, deployId, block) };
  } catch (error) {
    if (isUnknownDeploy(error)) return { deployId, status: "pending" };
    throw error;
  }
}

/** Makes the answer of every command that deploys: no success when the deploy failed or its contract refused. */
export function resultAnswer(
  result: DeployResult,
  about?: { readonly head: string; readonly facts: Readonly<Record<string, JsonValue>> },
  summary?: DeploySummary,
): CommandAnswer {
  const { deployId, status, inBlock } = result;
  const head = about === undefined ? [] : [about.head];
  const facts = factsOf(result, summary);
  const accepted = `Response: Success! DeployId is: ${deployId}`;
  const lines = status === "accepted" ? [accepted] : facts.map(([name, text]) => `${name}: ${text}`);
  return {
    text: [...head, ...lines, ...cutLines(inBlock)].join("\n"),
    painted: (paint) => {
      const shown = status === "accepted" ? [accepted] : facts.map((fact) => paintedFact(fact, paint));
      return [...head.map((line) => paint("bold", plainText(line))), ...shown, ...cutLines(inBlock)].join("\n");
    },
    json: {
      ...{ deployId, status, result: commandResultOf(result) },
      ...(summary && { summary: summary.facts.map((fact) => ({ ...fact })) }),
      ...about?.facts,
      ...(inBlock && blockJson(inBlock)),
    },
    exitCode: exitCodeOf(commandResultOf(result)),
  };
}

/** A printed fact about a deploy: name, text, and its colour on terminals that have colours. */
type Fact = readonly [name: string, text: string, colour?: Colour];

function factsOf(result: DeployResult, summary: DeploySummary | undefined): readonly Fact[] {
  const { deployId, status, inBlock } = result;
  const colour = exitCodeOf(commandResultOf(result)) !== 0 ? "red" : status === "finalized" ? "green" : "yellow";
  const known: Fact[] = [
    ["Deploy id", deployId],
    ["Status", statusText(result), colour],
  ];
  if (summary !== undefined) known.push(["Summary", summary.text]);
  return inBlock === undefined ? known : [...known, ...blockFacts(inBlock, status === "finalized")];
}

const nameWidth = "Deploy id".length + 2;

/** Further lines are below the first one. */
function paintedFact([name, text, colour]: Fact, paint: Paint): string {
  const plain = plainText(text).replaceAll("\n", `\n${" ".repeat(nameWidth)}`);
  return `${paint("dim", name.padEnd(nameWidth))}${colour === undefined ? plain : paint(colour, plain)}`;
}

function cutLines(inBlock: DeployInBlock | undefined): string[] {
  return inBlock?.note?.isCut ? ["(the program wrote more than the node stores)"] : [];
}

function statusText({ status, inBlock }: DeployResult): string {
  if (status === "pending" && inBlock === undefined) return "pending: not in a block yet";
  if (status === "pending") return "pending: rejected by a merge, included again automatically; wait";
  if (status === "rejected") return "rejected by a merge, without effect; sign it again";
  if (status === "expired") return "expired without effect; sign it again";
  if (status === "failed") return "failed, without effect";
  if (status === "failedSoFar") return "failed in a final block; no other block is known to include it";
  if (inBlock !== undefined && isUnanswered(inBlock) && !inBlock.errored && inBlock.systemDeployError === "")
    return `${status}, but without effect: no response of the contract; check --dialect`;
  if (inBlock?.errored) return `${status}, but it failed`;
  return inBlock?.outcome?.status === "refused" ? `${status}, but refused: ${inBlock.outcome.reason}` : status;
}

function blockFacts(inBlock: DeployInBlock, isFinal: boolean): Fact[] {
  const { blockHash, blockNumber, cost, systemDeployError, outcome, data, note } = inBlock;
  const facts: Fact[] = [
    ["Block", `#${blockNumber} ${blockHash}`],
    ["Cost", String(cost)],
  ];
  if (systemDeployError !== "") facts.push(["Error", systemDeployError, "red"]);
  for (const fault of note?.faults ?? []) facts.push(["Error", faultText(fault), "red"]);
  if (outcome?.status === "done")
    facts.push(isFinal ? ["Result", "done", "green"] : ["Result", "done, not final yet", "yellow"]);
  // The contract's answer is printed above.
  if (outcome === undefined) for (const text of data) facts.push(["Data", text]);
  for (const { stream, text } of note?.prints ?? []) facts.push([stream, text, "cyan"]);
  for (const [label, use] of [
    ["Wrote", "writes"],
    ["Read", "reads"],
  ] as const) {
    const names = (note?.names ?? []).filter((name) => name[use] > 0);
    if (names.length > 0) facts.push([label, namesText(names.map(({ name }) => name))]);
  }
  return facts;
}

/** Names that are shown. */
const maxNames = 10;

function namesText(names: readonly string[]): string {
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

type Fault = DeployNote["faults"][number];

function faultText({ class: name, text, line, column }: Fault): string {
  return `${name}${line === 0 ? "" : ` at ${line}:${column}`}: ${text}`;
}

function blockJson({
  outcome,
  note,
  data,
  isReported: _isReported,
  source: _source,
  ...facts
}: DeployInBlock): Readonly<Record<string, JsonValue>> {
  const errors = note?.faults.map(({ class: name, text, line, column }) => ({
    ...{ class: name, text },
    ...{ line: line === 0 ? null : line, column: line === 0 ? null : column },
  }));
  const prints = note?.prints.map(({ stream, text }) => ({ stream, text }));
  const names =
    note?.areNamesKnown === true ? note.names.map(({ name, writes, reads }) => ({ name, writes, reads })) : null;
  return {
    ...facts,
    outcome: outcome === undefined ? null : { ...outcome },
    data: [...data],
    errors: errors ?? null,
    prints: prints ?? null,
    names,
  };
}

async function inspect(
  client: NodeClient,
  deployId: string,
  { blockHash, blockNumber }: LightBlockInfo,
): Promise<DeployInBlock> {
  const { deploys } = await client.block(blockHash);
  const deploy = deploys.find(({ sig }) => sig.toLowerCase() === deployId);
  if (deploy === undefined) {
    throw new CommandError({
      code: "unexpectedAnswer",
      what: `Block ${blockHash} does not hold the deploy that the node found in it`,
    });
  }
  const { cost, errored, systemDeployError, term } = deploy;
  const facts = {
    blockHash,
    blockNumber,
    cost,
    errored,
    systemDeployError,
    isReported: isReportedTerm(term),
    source: deploy,
  };
  const hasRun = !errored && systemDeployError === "";
  const sent = hasRun ? await findData(client, deployId, blockHash) : [];
  const note = await client.deployNote(fromHex(deployId), blockHash);
  return { ...facts, outcome: readOutcome(sent), data: sent.slice(0, maxData).map(termText), note };
}

/** Terms that are shown, and the most that is shown of one. */
const maxData = 20;
const longestTerm = 10_000;

function termText(term: Par): string {
  try {
    const text = printPar(term);
    return text.length > longestTerm ? `${text.slice(0, longestTerm)}…` : text;
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}

async function findData(client: NodeClient, deployId: string, blockHash: string): Promise<readonly Par[]> {
  try {
    const name = parOfUnforgeable(new GDeployId(fromHex(deployId)));
    return (await client.dataAtName(name, blockHash)).data;
  } catch (error) {
    // Most deploys send nothing to their id, and rnode then answers with an error (50 §1.9).
    if (error instanceof ClientError && error.failure.code === "refused") return [];
    throw error;
  }
}
