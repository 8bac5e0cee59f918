import { f1r3nodeExprOf, type JsonValue, rhoExprOf } from "@vedette/api";
import { type LightBlockInfo, LightBlockInfoSchema } from "@vedette/api/grpc";
import { addressOfKey, balanceTerm, ClientError, type PosQuery, posQueryTerm } from "@vedette/client";
import type { DataInBlock, NodeClient } from "@vedette/client/node";
import { fromHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { f1r3nodeTerms, GDeployerId, GDeployId, GPrivate, type Par, parOfUnforgeable, printPar } from "@vedette/terms";
import { printAmount } from "./amount.js";
import { resolveBlockHash } from "./blockAnswers.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import { deployIdBytes } from "./deployResult.js";
import { messageJson } from "./messageAnswer.js";
import { dialectOf, type NodeCommand, type Options, requireKeyOf, textOption } from "./NodeCommand.js";
import { networkDialect, networkFacts } from "./networkFacts.js";
import { readProgram } from "./readProgram.js";

/** `vedette balance <address>`. @spec 41 §10.1 */
export async function balance(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const { client, options, host } = command;
  const named = given ?? textOption(options, "address");
  const address = named ?? addressOfKey(await requireKeyOf(options, host));
  const { dialect, token } = await networkFacts(command);
  const { data, block } = await client.explore(balanceTerm(address, dialect));
  const expr = data[0]?.exprs[0];
  if (expr?.kind === "GString") throw new CommandError({ code: "unexpectedAnswer", what: expr.value });
  if (expr?.kind !== "GInt") {
    throw new CommandError({
      code: "unexpectedAnswer",
      what: "The chain returned no balance; does it have the vaults of an rnode-family network?",
    });
  }
  return {
    text: `Balance of ${address}: ${printAmount(expr.value, token)}`,
    json: { address, balance: expr.value, block: blockReference(block) },
  };
}

/** `vedette explore`: runs a program on a state and forgets it. @spec 50 §1.9 */
export async function explore(command: NodeCommand, file: string | undefined): Promise<CommandAnswer> {
  const { client, options, host } = command;
  const path = file ?? textOption(options, "file");
  const term = textOption(options, "term") ?? (path === undefined ? undefined : await readProgram(path, host));
  if (term === undefined) {
    throw new CommandError({ code: "missingArgument", expected: "a program: <file>, or -e <rholang>" });
  }
  const hash = textOption(options, "blockHash");
  const state = {
    blockHash: hash === undefined ? undefined : await resolveBlockHash(client, hash),
    usePreState: options["usePreState"] === true,
  };
  return dataAnswer(await client.explore(term, state), options);
}

/** `vedette data-at-name`: what lies on a channel. @spec 50 §1.9, §3.4 */
export async function dataAtName(command: NodeCommand): Promise<CommandAnswer> {
  const { client, options } = command;
  const name = await nameOf(command);
  const hash = textOption(options, "blockHash");
  if (hash !== undefined)
    return dataAnswer(await dataInBlock(client, name, await resolveBlockHash(client, hash)), options);
  const deployId = textOption(options, "deployId");
  if (deployId !== undefined) {
    const { blockHash } = await client.findDeploy(deployIdBytes(deployId));
    return dataAnswer(await dataInBlock(client, name, blockHash), options);
  }
  const found = await client.listenForData(name, options["depth"] as number);
  const answers = found.map((each) => dataAnswer(each, options));
  const text = answers.map(({ text: each }, index) => `#${found[index]!.block?.blockNumber ?? "?"}\n${each}`);
  return {
    text: answers.length === 0 ? "No data" : text.join("\n"),
    json: answers.map(({ json }) => json),
  };
}

async function dataInBlock(client: NodeClient, name: Par, blockHash: string): Promise<DataInBlock> {
  try {
    return await client.dataAtName(name, blockHash);
  } catch (error) {
    // Quirk 50 §1.9: rnode's text for a name that the block's deploys did not touch.
    const isUntouched = error instanceof ClientError && error.message === "None.get";
    if (isUntouched) return { data: [], block: undefined };
    throw error;
  }
}

/** `vedette epoch-info`: the lengths that govern bonding. @spec 50 §8.1 */
export async function epochInfo(command: NodeCommand): Promise<CommandAnswer> {
  const epochLength = await queryPosInt(command, "getEpochLength");
  const quarantineLength = await queryPosInt(command, "getQuarantineLength");
  const { blockNumber } = await command.client.latestBlock();
  const epoch = epochLength > 0n ? blockNumber / epochLength : 0n;
  const lines = [
    `Epoch length: ${epochLength} blocks`,
    `Quarantine length: ${quarantineLength} blocks`,
    `Current epoch: ${epoch} (block ${blockNumber})`,
  ];
  return { text: lines.join("\n"), json: { epochLength, quarantineLength, epoch, blockNumber } };
}

/** Queries the proof-of-stake contract; needs a node that runs exploratory deploys. @spec 41 §10.3 */
export async function queryPos(command: NodeCommand, query: PosQuery): Promise<Par | undefined> {
  return (await command.client.explore(posQueryTerm(query, await networkDialect(command)))).data[0];
}

async function queryPosInt(command: NodeCommand, query: PosQuery): Promise<bigint> {
  const expr = (await queryPos(command, query))?.exprs[0];
  if (expr?.kind === "GInt") return expr.value;
  throw new CommandError({ code: "unexpectedAnswer", what: `The proof-of-stake contract did not answer ${query}` });
}

/** `vedette epoch-rewards`: what each validator has earned in the current epoch. @spec 50 §8.1 */
export async function epochRewards(command: NodeCommand): Promise<CommandAnswer> {
  const { client, options } = command;
  return dataAnswer(
    await client.explore(posQueryTerm("getCurrentEpochRewards", await networkDialect(command))),
    options,
  );
}

/** How terms are shown, by dialect. */
const printing = {
  rnode: { print: printPar, exprOf: rhoExprOf },
  f1r3node: { print: f1r3nodeTerms.printPar, exprOf: f1r3nodeExprOf },
};

function dataAnswer({ data, block }: DataInBlock, options: Options): CommandAnswer {
  const { print, exprOf } = printing[dialectOf(options) ?? "rnode"];
  const shown = data.flatMap((par) => exprOf(par) ?? []);
  return {
    text: data.length === 0 ? "No data" : data.map((par) => print(par)).join("\n"),
    json: { expr: shown, block: block === undefined ? null : messageJson(LightBlockInfoSchema, block) },
  };
}

function blockReference(block: LightBlockInfo | undefined): JsonValue {
  return block === undefined ? null : { blockHash: block.blockHash, blockNumber: block.blockNumber };
}

async function nameOf({ options }: NodeCommand): Promise<Par> {
  const deployId = textOption(options, "deployId");
  if (deployId !== undefined) return parOfUnforgeable(new GDeployId(deployIdBytes(deployId)));
  const deployer = textOption(options, "deployer");
  if (deployer !== undefined)
    return parOfUnforgeable(new GDeployerId(hexOption("The deployer's public key", deployer)));
  const content = textOption(options, "content");
  const unforgeable = textOption(options, "unforgeable") ?? (options["type"] === "priv" ? content : undefined);
  if (unforgeable !== undefined) return parOfUnforgeable(new GPrivate(hexOption("The unforgeable name", unforgeable)));
  const source = textOption(options, "name") ?? content;
  if (source === undefined) {
    throw new CommandError({
      code: "missingArgument",
      expected: "a name: --deploy-id, --unforgeable, --deployer or --name",
    });
  }
  return compileName(source);
}

/** Several names, of a command that takes them. */
export async function namesOf({ options }: NodeCommand): Promise<readonly Par[]> {
  const texts = (name: string) => (Array.isArray(options[name]) ? options[name].map(String) : []);
  const isPrivate = options["type"] === "priv";
  const unforgeable = [...texts("unforgeable"), ...(isPrivate ? texts("content") : [])];
  const sources = [...texts("name"), ...(isPrivate ? [] : texts("content"))];
  const names = unforgeable.map((hex) => parOfUnforgeable(new GPrivate(hexOption("The unforgeable name", hex))));
  for (const source of sources) names.push(await compileName(source));
  if (names.length === 0)
    throw new CommandError({ code: "missingArgument", expected: "a name: --name or --unforgeable" });
  return names;
}

async function compileName(source: string): Promise<Par> {
  const { compile } = await import("./compile.js");
  try {
    return compile(source);
  } catch (error) {
    const reason = errorText(error);
    throw new CommandError({ code: "badName", reason }, { cause: error });
  }
}

function hexOption(name: string, text: string): Uint8Array {
  if (/^(0x)?([0-9a-fA-F]{2}){1,200}$/.test(text)) return fromHex(text.replace(/^0x/, ""));
  throw new CommandError({ code: "badArgument", name, expected: "hexadecimal digits, two for each byte" });
}
