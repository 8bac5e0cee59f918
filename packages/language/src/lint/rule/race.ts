import type { Bind, Name, Process, Span } from "@vedette/rholang";
import type { Analysis, NameSymbol } from "../../analysis/NameSymbol.js";
import { eachProcess } from "../../childProcesses.js";
import type { Finding, LintedProgram, Rule } from "../Rule.js";
import { patternsMayMeet } from "./mayMeet.js";

/** Who takes a message, side by side with others. */
interface Taker {
  readonly symbol: NameSymbol;
  readonly patterns: Bind["patterns"];
  readonly kind: "contract" | "for";
  readonly span: Span;
}

/** Receives and contracts of which it is left open which gets a message. */
export const race: Rule = {
  id: "race",
  about: "Two processes side by side wait for the same message",
  why: "Which of them gets it is not yours to say: what a program does then hangs on the order in which a node looks at them, and another change can turn it round. Let one receive take both messages (`for (a <- x; b <- x)`), give each its own channel, or make the patterns differ.",
  bad: "new c in { c!(1) | for (@a <- c) { @0!(a) } | for (@b <- c) { @1!(b) } }",
  good: "new c, d in { c!(1) | d!(1) | for (@a <- c) { @0!(a) } | for (@b <- d) { @1!(b) } }",
  find: (program) =>
    [...eachProcess(program.parsed.process)].flatMap((process) =>
      process.kind === "Parallel" ? racesAmong(process.processes, program) : [],
    ),
};

function racesAmong(processes: readonly Process[], { parsed, analysis }: LintedProgram): Finding[] {
  const takers = new Map<NameSymbol, Taker[]>();
  const findings: Finding[] = [];
  for (const taker of processes.flatMap((process) => takersOf(process, analysis))) {
    const others = takers.get(taker.symbol) ?? [];
    const rival = others.find(({ patterns, kind }) => kind === taker.kind && patternsMayMeet(patterns, taker.patterns));
    if (rival !== undefined) {
      const { line, column } = parsed.lines.positionAt(rival.span.start);
      const { name } = taker.symbol;
      findings.push({ span: taker.span, message: `a message on ${name} may go here or to ${line}:${column}` });
    }
    takers.set(taker.symbol, [...others, taker]);
  }
  return findings;
}

function takersOf(process: Process, analysis: Analysis): Taker[] {
  if (process.kind === "Contract") return taker(process.name, process.formals, "contract", analysis);
  if (process.kind !== "Receive" || process.receipts.length === 0) return [];
  // Of several receipts the first alone waits at once.
  const { kind, binds } = process.receipts[0]!;
  if (kind === "peek" || binds.length !== 1) return [];
  const { source, patterns, sourceKind } = binds[0]!;
  return sourceKind === "sendReceive"
    ? []
    : taker(source, patterns, kind === "repeated" ? "contract" : "for", analysis);
}

function taker(name: Name, patterns: Bind["patterns"], kind: Taker["kind"], { at }: Analysis): Taker[] {
  const symbol = name.kind === "NameVariable" ? at.get(name.position) : undefined;
  if (symbol === undefined || name.kind !== "NameVariable") return [];
  return [{ symbol, patterns, kind, span: { start: name.position, end: name.position + name.name.length } }];
}
