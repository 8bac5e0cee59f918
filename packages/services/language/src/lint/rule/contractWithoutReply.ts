import type { Analysis, NameSymbol } from "../../analysis/NameSymbol.js";
import { eachProcess } from "../../childProcesses.js";
import type { ProgramSource } from "../../ProgramSource.js";
import type { Rule } from "../Rule.js";

/** Contracts that take a channel for the answer and never use it. */
export const contractWithoutReply: Rule = {
  id: "contract-without-reply",
  about: "A contract takes a channel for its answer and never answers",
  why: "Its callers wait for ever: nothing in Rholang reports that no answer will come. Answer in every case; if the last formal is no channel for an answer, take it as a process (`@x`), or let its name begin with `_`.",
  bad: "new store in { contract store(@key, ret) = { @key!(1) } }",
  good: "new store in { contract store(@key, ret) = { @key!(1) | ret!(Nil) } }",
  find: ({ parsed, analysis }) =>
    replyOf(parsed, analysis)
      .filter(({ symbol }) => symbol.references.length === 0)
      .map(({ symbol: { name, declaration } }) => ({
        span: declaration,
        message: `${name} is for an answer, and the contract never gives one`,
      })),
};

/** The last formal of each contract that takes it as a name. */
export function replyOf(parsed: ProgramSource, { at }: Analysis): { readonly symbol: NameSymbol }[] {
  return [...eachProcess(parsed.process)].flatMap((process) => {
    if (process.kind !== "Contract" || process.formals.remainder !== undefined) return [];
    const last = process.formals.names.at(-1);
    const symbol = last?.kind === "NameVariable" ? at.get(parsed.offsetOf(last)) : undefined;
    return symbol === undefined || symbol.name.startsWith("_") ? [] : [{ symbol }];
  });
}
