import type { Name, Process, Span } from "@vedette/rholang";
import type { Analysis, NameSymbol } from "../../analysis/NameSymbol.js";
import { eachProcess } from "../../childProcesses.js";
import type { Finding, LintedProgram, Rule } from "../Rule.js";

/** What may be done with a channel. */
interface Rights {
  readonly read: boolean;
  readonly write: boolean;
  /** Why so. */
  readonly because: string;
}

/** Channels that are read, or written to, against their bundle. */
export const bundleMisuse: Rule = {
  id: "bundle-misuse",
  about: "A channel is read that may only be written to, or the other way round",
  why: "`bundle+` lets nobody read and `bundle-` nobody write: such a `for` or send fails when it runs, with all of its deploy. The channels of the system are written to only; an answer comes on a channel that you send along.",
  bad: "new c in { for (_ <- @{ bundle+{*c} }) { Nil } }",
  good: "new c in { c!(bundle+{*c}) | for (_ <- c) { Nil } }",
  find: (program) => {
    const rights = rightsOf(program);
    return [...eachProcess(program.parsed.process)].flatMap((process) => misuses(process, rights, program));
  },
};

function misuses(
  process: Process,
  rights: ReadonlyMap<NameSymbol, Rights>,
  { parsed, analysis }: LintedProgram,
): Finding[] {
  const check = (name: Name, use: "read" | "write"): Finding[] => {
    const found = nameRights(name, analysis, rights);
    if (found === undefined || found[use]) return [];
    const text = use === "read" ? "may only be written to" : "may only be read";
    const span: Span =
      name.kind === "NameVariable"
        ? { start: name.position, end: name.position + name.name.length }
        : (parsed.spans.get(name) ?? { start: 0, end: 0 });
    return [{ span, message: `this channel ${text}: ${found.because}` }];
  };
  switch (process.kind) {
    case "Send":
    case "SyncSend":
      return check(process.channel, "write");
    case "Contract":
      return check(process.name, "read");
    case "Receive":
      return process.receipts
        .flatMap(({ binds }) => binds)
        .flatMap(({ source, sourceKind }) => check(source, sourceKind === "sendReceive" ? "write" : "read"));
    default:
      return [];
  }
}

function nameRights(name: Name, { at }: Analysis, rights: ReadonlyMap<NameSymbol, Rights>): Rights | undefined {
  if (name.kind === "Quote") return processRights(name.process);
  const symbol = name.kind === "NameVariable" ? at.get(name.position) : undefined;
  return symbol === undefined ? undefined : rights.get(symbol);
}

function processRights(process: Process): Rights | undefined {
  if (process.kind !== "Bundle") return undefined;
  const { readFlag: read, writeFlag: write } = process;
  const sign = read ? (write ? "" : "-") : write ? "+" : "0";
  return { read, write, because: `it is a bundle${sign}` };
}

/** What is known of names: channels of the system, and what `let`, `match` and messages within reach bind to bundles. */
function rightsOf({ parsed, analysis }: LintedProgram): ReadonlyMap<NameSymbol, Rights> {
  const rights = new Map<NameSymbol, Rights>();
  for (const symbol of analysis.symbols) {
    if (symbol.uri?.startsWith("rho:rchain:deploy") === false)
      rights.set(symbol, { read: false, write: true, because: `${symbol.uri} belongs to the system` });
    if (symbol.origin === "new" && symbol.uri === undefined) noteMessages(symbol, analysis, rights);
  }
  for (const process of eachProcess(parsed.process)) noteBound(process, analysis, rights);
  return rights;
}

function noteBound(process: Process, analysis: Analysis, rights: Map<NameSymbol, Rights>): void {
  if (process.kind === "Let")
    for (const { patterns, values } of process.declarations)
      for (const [index, name] of patterns.names.entries()) note(name, values[index], analysis, rights);
  if (process.kind === "Match") {
    const [first] = process.cases;
    if (first?.pattern.kind === "Variable") noteAt(first.pattern.position, process.target, analysis, rights);
  }
}

/** A channel that only sends and plain receives use: what each of its messages brings is known. */
function noteMessages({ references }: NameSymbol, analysis: Analysis, rights: Map<NameSymbol, Rights>): void {
  if (references.some(({ use }) => use.kind === "value" || use.kind === "contract")) return;
  const sends = references.flatMap(({ use }) => (use.kind === "send" && use.node.kind === "Send" ? [use.node] : []));
  const receives = references.flatMap(({ use }) => (use.kind === "receive" ? [use.bind] : []));
  if (sends.length === 0 || sends.length + receives.length !== references.length) return;
  for (const { patterns, sourceKind } of receives)
    for (const [index, name] of patterns.names.entries()) {
      const [first, ...others] = sends.map(({ data }) => data[index]).map((one) => one && processRights(one));
      const isOne = first !== undefined && others.every((one) => one?.because === first.because);
      const position =
        name.kind === "Quote" && name.process.kind === "Variable" ? name.process.position : positionOf(name);
      const symbol = position === undefined ? undefined : analysis.at.get(position);
      if (sourceKind === "simple" && isOne && symbol !== undefined) rights.set(symbol, first);
    }
}

function positionOf(name: Name): number | undefined {
  return name.kind === "NameVariable" ? name.position : undefined;
}

function note(name: Name, value: Process | undefined, analysis: Analysis, rights: Map<NameSymbol, Rights>): void {
  const position = positionOf(name);
  if (position !== undefined && value !== undefined) noteAt(position, value, analysis, rights);
}

function noteAt(position: number, value: Process, { at }: Analysis, rights: Map<NameSymbol, Rights>): void {
  const symbol = at.get(position);
  const found = processRights(value);
  if (symbol !== undefined && found !== undefined) rights.set(symbol, found);
}
