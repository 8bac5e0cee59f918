import { ContinuationsWithBlockInfoSchema, parOfMessage } from "@vedette/api/grpc";
import { plainText } from "@vedette/terminal";
import { printPar } from "@vedette/terms";
import { exitCodes } from "../exitCodes.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import { messageJson } from "./messageAnswer.js";
import type { NodeCommand } from "./NodeCommand.js";
import { OperatorChannel } from "./OperatorChannel.js";
import { readProgram } from "./readProgram.js";
import { namesOf } from "./stateAnswers.js";

const prompt = "rholang $ ";
const quit = ":q";

/** `vedette repl`: runs what is typed, line by line. @spec 50 §5.6 */
export async function repl(command: NodeCommand): Promise<CommandAnswer> {
  const { host, options, signal } = command;
  using channel = new OperatorChannel(command);
  const outputs: string[] = [];
  for await (const line of host.readLines(prompt, signal)) {
    if (line.trim() === quit) break;
    if (line.trim() === "") continue;
    const output = await outputOf(() => channel.run(line));
    if (options["json"] === true) outputs.push(output);
    else host.print(plainText(output));
  }
  return { text: "", json: outputs };
}

/** `vedette eval <file>… --host <node>`: runs programs on a node's evaluation space. @spec 50 §5.6 */
export async function evalOnNode(command: NodeCommand, files: readonly string[]): Promise<CommandAnswer> {
  using channel = new OperatorChannel(command);
  const isOnlySends = command.options["printUnmatchedSendsOnly"] === true;
  const results: { file: string; output: string }[] = [];
  for (const file of files) {
    const output = await outputOf(async () => channel.evaluate(await readProgram(file, command.host), isOnlySends));
    results.push({ file, output });
  }
  const texts = results.map(({ file, output }) => `\nResult for ${file}:\n${output}`);
  // The content of the space comes last, and may hold any text.
  const hasFailed = results.some(({ output }) =>
    /^Error(s received during evaluation)?:/m.test(beforeContents(output)),
  );
  return {
    text: [`Evaluating from ${files.join(", ")}`, ...texts].join("\n"),
    json: results,
    exitCode: hasFailed ? exitCodes.failure : exitCodes.success,
  };
}

function beforeContents(output: string): string {
  return output.split("\nStorage Contents:", 1)[0]!;
}

/** A failure is an answer, too. @spec 50 §5.6 */
async function outputOf(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `Error: ${error.message}`;
  }
}

/** `vedette continuations-at-name`: which receives wait on names. @spec 50 §3.4, §5.6 */
export async function continuationsAtName(command: NodeCommand): Promise<CommandAnswer> {
  using channel = new OperatorChannel(command);
  const found = await channel.continuations(await namesOf(command), command.options["depth"] as number);
  const texts = found.map(({ postBlockContinuations, block }) => {
    const receives = postBlockContinuations.map(({ postBlockPatterns, postBlockContinuation }) => {
      const patterns = postBlockPatterns.map((pattern) => pattern.patterns.map((par) => printPar(parOfMessage(par))));
      const body = postBlockContinuation === undefined ? "Nil" : printPar(parOfMessage(postBlockContinuation));
      return `for (${patterns.map((each) => each.join(", ")).join("; ")}) {\n${body}\n}`;
    });
    return `#${block?.blockNumber ?? "?"}\n${receives.join("\n")}`;
  });
  return {
    text: found.length === 0 ? "No continuations" : texts.join("\n"),
    json: found.map((each) => messageJson(ContinuationsWithBlockInfoSchema, each)),
  };
}
