import type { Span } from "@vedette/rholang";
import type { NameSymbol } from "../../analysis/NameSymbol.js";
import { eachProcess } from "../../childProcesses.js";
import type { AnyName, AnyPatterns, AnyProcess } from "../../ProgramSource.js";
import { guardOf, kindOf } from "../../parts.js";
import type { LintedProgram, LintFinding, Rule } from "../Rule.js";
import { patternsMayMeet } from "./mayMeet.js";

/** A receive that takes messages, beside others. */
interface Taker {
  readonly symbol: NameSymbol;
  readonly patterns: AnyPatterns;
  readonly kind: "contract" | "for";
  readonly span: Span;
}

/** Receives and contracts of which it is left open which gets a message. */
export const race: Rule = {
  id: "race",
  about: "Two processes side by side wait for the same message",
  why: "The program does not decide which of them gets it: its effect then depends on the order in which a node tries them, and another change can reverse it. Let one receive take both messages (`for (a <- x; b <- x)`), give each its own channel, or make the patterns differ.",
  bad: "new c in { c!(1) | for (@a <- c) { @0!(a) } | for (@b <- c) { @1!(b) } }",
  good: "new c, d in { c!(1) | d!(1) | for (@a <- c) { @0!(a) } | for (@b <- d) { @1!(b) } }",
  find: (program) =>
    [...eachProcess(program.parsed.process)].flatMap((process) =>
      process.kind === "Parallel" ? racesAmong(process.processes, program) : [],
    ),
};

function racesAmong(processes: readonly AnyProcess[], program: LintedProgram): LintFinding[] {
  const takers = new Map<NameSymbol, Taker[]>();
  const findings: LintFinding[] = [];
  for (const taker of processes.flatMap((process) => takersOf(process, program))) {
    const others = takers.get(taker.symbol) ?? [];
    const rival = others.find(({ patterns, kind }) => kind === taker.kind && patternsMayMeet(patterns, taker.patterns));
    if (rival !== undefined) {
      const { line, column } = program.parsed.lines.positionAt(rival.span.start);
      const { name } = taker.symbol;
      findings.push({ span: taker.span, message: `a message on ${name} may go here or to ${line}:${column}` });
    }
    takers.set(taker.symbol, [...others, taker]);
  }
  return findings;
}

function takersOf(process: AnyProcess, program: LintedProgram): Taker[] {
  if (process.kind === "Contract") return taker(process.name, process.formals, "contract", program);
  if (process.kind !== "Receive" || process.receipts.length === 0) return [];
  // Only the first of several receipts waits at once.
  const receipt = process.receipts[0]!;
  const { binds } = receipt;
  const kind = kindOf(receipt);
  // The messages that a guard accepts are not known.
  if (kind === "peek" || binds.length !== 1 || guardOf(receipt) !== undefined) return [];
  const { source, patterns, sourceKind } = binds[0]!;
  return sourceKind === "sendReceive" ? [] : taker(source, patterns, kind === "repeated" ? "contract" : "for", program);
}

function taker(
  name: AnyName,
  patterns: AnyPatterns,
  kind: Taker["kind"],
  { parsed, analysis }: LintedProgram,
): Taker[] {
  if (name.kind !== "NameVariable") return [];
  const start = parsed.offsetOf(name);
  const symbol = analysis.at.get(start);
  return symbol === undefined ? [] : [{ symbol, patterns, kind, span: { start, end: start + name.name.length } }];
}
