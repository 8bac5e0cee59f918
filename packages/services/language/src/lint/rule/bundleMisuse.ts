import type { NameSymbol } from "../../analysis/NameSymbol.js";
import { eachProcess } from "../../childProcesses.js";
import type { AnyBind, AnyName, AnyProcess, ProgramSource } from "../../ProgramSource.js";
import { valuesOf } from "../../parts.js";
import type { LintedProgram, LintFinding, Rule } from "../Rule.js";

/** The allowed uses of a channel. */
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
  why: "A name in `bundle+` cannot be read, and one in `bundle-` cannot be written to: such a `for` or send fails when it runs, with all of its deploy. The channels of the system are written to only; an answer comes on a channel that you send along.",
  bad: "new c in { for (_ <- @{ bundle+{*c} }) { Nil } }",
  good: "new c in { c!(bundle+{*c}) | for (_ <- c) { Nil } }",
  find: (program) => {
    const rights = rightsOf(program);
    return [...eachProcess(program.parsed.process)].flatMap((process) => misuses(process, rights, program));
  },
};

function misuses(process: AnyProcess, rights: ReadonlyMap<NameSymbol, Rights>, program: LintedProgram): LintFinding[] {
  const check = (name: AnyName, use: "read" | "write"): LintFinding[] => {
    const found = nameRights(name, program, rights);
    if (found === undefined || found[use]) return [];
    const text = use === "read" ? "may only be written to" : "may only be read";
    const span = program.parsed.spanOf(name) ?? { start: 0, end: 0 };
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
        .flatMap(({ binds }): readonly AnyBind[] => binds)
        .flatMap(({ source, sourceKind }) => check(source, sourceKind === "sendReceive" ? "write" : "read"));
    default:
      return [];
  }
}

function nameRights(
  name: AnyName,
  { parsed, analysis }: LintedProgram,
  rights: ReadonlyMap<NameSymbol, Rights>,
): Rights | undefined {
  if (name.kind === "Quote") return processRights(name.process);
  const symbol = name.kind === "NameVariable" ? analysis.at.get(parsed.offsetOf(name)) : undefined;
  return symbol === undefined ? undefined : rights.get(symbol);
}

function processRights(process: AnyProcess): Rights | undefined {
  if (process.kind !== "Bundle") return undefined;
  const { readFlag: read, writeFlag: write } = process;
  const sign = read ? (write ? "" : "-") : write ? "+" : "0";
  return { read, write, because: `it is a bundle${sign}` };
}

/**
 * Returns the rights of names: channels of the system, and bundles that `let`, `match` and messages within reach bind.
 */
function rightsOf(program: LintedProgram): ReadonlyMap<NameSymbol, Rights> {
  const rights = new Map<NameSymbol, Rights>();
  for (const symbol of program.analysis.symbols) {
    // The deploy's own names, such as its id, are values and no channels.
    if (symbol.uri !== undefined && !/^rho:(rchain|system):deploy/.test(symbol.uri))
      rights.set(symbol, { read: false, write: true, because: `${symbol.uri} belongs to the system` });
    if (symbol.origin === "new" && symbol.uri === undefined) noteMessages(symbol, program, rights);
  }
  for (const process of eachProcess(program.parsed.process)) noteBound(process, program, rights);
  return rights;
}

function noteBound(process: AnyProcess, program: LintedProgram, rights: Map<NameSymbol, Rights>): void {
  if (process.kind === "Let")
    for (const declaration of process.declarations)
      for (const [index, name] of declaration.patterns.names.entries())
        note(name, valuesOf(declaration)[index], program, rights);
  if (process.kind === "Match") {
    const [first] = process.cases;
    if (first?.pattern.kind === "Variable")
      noteAt(program.parsed.offsetOf(first.pattern), process.target, program, rights);
  }
}

/** A channel that only sends and plain receives use: what each of its messages brings is known. */
function noteMessages({ references }: NameSymbol, program: LintedProgram, rights: Map<NameSymbol, Rights>): void {
  if (references.some(({ use }) => use.kind === "value" || use.kind === "contract")) return;
  const sends = references.flatMap(({ use }) => (use.kind === "send" && use.node.kind === "Send" ? [use.node] : []));
  const receives = references.flatMap(({ use }) => (use.kind === "receive" ? [use.bind] : []));
  if (sends.length === 0 || sends.length + receives.length !== references.length) return;
  for (const { patterns, sourceKind } of receives)
    for (const [index, name] of patterns.names.entries()) {
      const common = commonRights(sends.map(({ data }) => data[index]));
      const position = positionOfPattern(name, program.parsed);
      const symbol = position === undefined ? undefined : program.analysis.at.get(position);
      if (sourceKind === "simple" && common !== undefined && symbol !== undefined) rights.set(symbol, common);
    }
}

/** The rights that all of these processes give; `undefined` where they differ or are not known. */
function commonRights(processes: readonly (AnyProcess | undefined)[]): Rights | undefined {
  const [first, ...others] = processes.map((process) => process && processRights(process));
  return others.every((one) => one?.because === first?.because) ? first : undefined;
}

/** Where a name is bound that is written as `x` or `@x`. */
function positionOfPattern(name: AnyName, parsed: ProgramSource): number | undefined {
  const isVariable = name.kind === "Quote" && name.process.kind === "Variable";
  return isVariable ? parsed.offsetOf(name.process) : positionOf(name, parsed);
}

function positionOf(name: AnyName, parsed: ProgramSource): number | undefined {
  return name.kind === "NameVariable" ? parsed.offsetOf(name) : undefined;
}

function note(
  name: AnyName,
  value: AnyProcess | undefined,
  program: LintedProgram,
  rights: Map<NameSymbol, Rights>,
): void {
  const position = positionOf(name, program.parsed);
  if (position !== undefined && value !== undefined) noteAt(position, value, program, rights);
}

function noteAt(
  position: number,
  value: AnyProcess,
  { analysis }: LintedProgram,
  rights: Map<NameSymbol, Rights>,
): void {
  const symbol = analysis.at.get(position);
  const found = processRights(value);
  if (symbol !== undefined && found !== undefined) rights.set(symbol, found);
}
