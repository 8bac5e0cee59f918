import { type JsonValue, rhoExprsOf } from "@vedette/api";
import { type LightBlockInfo, LightBlockInfoSchema } from "@vedette/api/grpc";
import { errorText } from "@vedette/errors";
import { type Par, printPar } from "@vedette/terms";
import { exitCodes } from "../exitCodes.js";
import { resolveBlockHash } from "./blockAnswers.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import { messageJson } from "./messageAnswer.js";
import { type NodeCommand, textOption } from "./NodeCommand.js";

/** `vedette call <uri> [arguments…]`: calls a registered contract on a state, and forgets it. @spec 41 §2, 50 §1.9 */
export async function callContract(
  command: NodeCommand,
  given: string | undefined,
  rest: readonly string[],
): Promise<CommandAnswer> {
  const uri = requireUri(given);
  const method = textOption(command.options, "method");
  if (method !== undefined && !/^[\w.-]{1,100}$/.test(method))
    throw new CommandError({ code: "badArgument", name: "--method", expected: "a name of letters and digits" });
  const terms = [...(method === undefined ? [] : [`"${method}"`]), ...rest];
  for (const [index, term] of terms.entries()) await checkTerm(`Argument ${index + 1}`, term);
  const { found, values, block } = await ask(command, callTerm(uri, terms));
  if (!found) throw notRegistered(uri);
  if (values === undefined)
    throw new CommandError({
      code: "unexpectedAnswer",
      what: `The contract ${uri} did not answer: it may have no such method, take other arguments, or want a caller's authority, which a call without a deploy has not`,
    });
  return { text: values.map((value) => printPar(value)).join("\n"), json: { uri, ...answerJson(values, block) } };
}

/** `vedette registry <uri>`: what is registered; nothing is exit code 1. @spec 41 §2 */
export async function registryEntry(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const uri = requireUri(given);
  const { found, values = [], block } = await ask(command, entryTerm(uri));
  const text = found ? values.map((value) => printPar(value)).join("\n") : `Nothing is registered as ${uri}`;
  return {
    text,
    json: { uri, isRegistered: found, ...answerJson(values, block) },
    exitCode: found ? exitCodes.success : exitCodes.failure,
  };
}

/** The reply to a term of ours: `(true, [values…])`, or `(false, [])` if nothing is registered. */
interface ContractReply {
  readonly found: boolean;
  /** `undefined` if a contract is there, and sent no values. */
  readonly values: readonly Par[] | undefined;
  readonly block: LightBlockInfo | undefined;
}

async function ask({ client, options }: NodeCommand, term: string): Promise<ContractReply> {
  const hash = textOption(options, "blockHash");
  const blockHash = hash === undefined ? undefined : await resolveBlockHash(client, hash);
  const { data, block } = await client.explore(term, { blockHash });
  const tuple = data[0]?.exprs[0];
  if (tuple === undefined) return { found: true, values: undefined, block };
  const [flag, list] = tuple.kind === "ETuple" ? tuple.ps : [];
  const isFound = flag?.exprs[0];
  const values = list?.exprs[0];
  if (isFound?.kind !== "GBool" || values?.kind !== "EList")
    throw new CommandError({ code: "unexpectedAnswer", what: "The node did not run the program unchanged" });
  return { found: isFound.value, values: values.ps, block };
}

// A contract is registered by itself, or with its version as a pair.
function callTerm(uri: string, terms: readonly string[]): string {
  const given = terms.map((term) => `${term}\n, `).join("");
  return `new return, lookup(\`rho:registry:lookup\`), entry, answer in {
  lookup!(\`${uri}\`, *entry) |
  for (@found <- entry) {
    match found {
      Nil => { return!((false, [])) }
      (_, target) => { @target!(${given}*answer) }
      target => { @target!(${given}*answer) }
    }
  } |
  for (...@values <- answer) { return!((true, values)) }
}`;
}

function entryTerm(uri: string): string {
  return `new return, lookup(\`rho:registry:lookup\`), entry in {
  lookup!(\`${uri}\`, *entry) |
  for (@found <- entry) {
    match found {
      Nil => { return!((false, [])) }
      value => { return!((true, [value])) }
    }
  }
}`;
}

/** @throws {CommandError} `missingArgument`, `badArgument` */
function requireUri(text: string | undefined): string {
  if (text === undefined) throw new CommandError({ code: "missingArgument", expected: "the contract's URI: rho:id:…" });
  const uri = text.replace(/^`(.*)`$/, "$1");
  if (!/^rho:[\w:.-]{1,200}$/.test(uri))
    throw new CommandError({ code: "badArgument", name: "The URI", expected: "as rho:id:… or rho:vault:system" });
  return uri;
}

/** Each argument is a whole term by itself, so that none can end the program and begin another. */
async function checkTerm(name: string, source: string): Promise<void> {
  const { compile } = await import("./compile.js");
  try {
    compile(source);
  } catch (error) {
    const reason = errorText(error);
    throw new CommandError(
      { code: "badArgument", name, expected: `a Rholang term, a text in quotes: '"text"' (${reason})` },
      { cause: error },
    );
  }
}

function notRegistered(uri: string): CommandError {
  return new CommandError({
    code: "unexpectedAnswer",
    what: `Nothing is registered as ${uri} in this state; look whether it is this network's, or name a later block with -b`,
  });
}

function answerJson(values: readonly Par[], block: LightBlockInfo | undefined): { readonly [name: string]: JsonValue } {
  return {
    text: values.map((value) => printPar(value)),
    expr: rhoExprsOf(values),
    block: block === undefined ? null : messageJson(LightBlockInfoSchema, block),
  };
}
