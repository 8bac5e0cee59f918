import { type Dialect, findDialect } from "@vedette/protocol";
import { type ContractProgram, ordinaryProgram } from "./contractProgram.js";

/** One program of a case, and what it must do. */
export interface CaseStep {
  readonly program: ContractProgram;
  /** How many checks it sends; `undefined` for any number but none. */
  readonly checks: number | undefined;
  /** Part of the error with which it must fail. */
  readonly fails: string | undefined;
  /** The program before its own text, with macros not filled in. */
  readonly prefix: string;
  /** The line of the file on which its own text begins, counted from 1. */
  readonly line: number;
}

/** A case: programs that run one after another, each on the state that the one before left. */
export interface ContractCase {
  readonly name: string;
  readonly steps: readonly CaseStep[];
  /** Why rnode's contracts answer otherwise. */
  readonly ownOnly: string | undefined;
}

/** A file of cases. */
export interface ContractTests {
  /** Programs of other files that run before every case, by their paths as written. */
  readonly deploys: readonly string[];
  /** The system contracts that are in genesis, by the names of their sources; all when empty. */
  readonly contracts: readonly string[];
  readonly cases: readonly ContractCase[];
}

/** The wrapper of programs that do not name one. */
export interface ProgramWrapper {
  readonly text: string;
  /** How many checks a program sends then; `undefined` for any number but none. */
  readonly checks: number | undefined;
}

const noSurroundings: ProgramWrapper = { text: "$$case$$", checks: 1 };

/** The dialect of the networks on which cases are tried. */
export type CaseDialect = Dialect["name"];

interface CaseDraft {
  readonly line: number;
  readonly lines: string[];
  readonly directives: Map<string, string>;
}

/** `newer` is the earlier word for `f1r3node`. */
const directive = /^\/\/: ((?:(?:f1r3node|newer) )?[a-z]+)(?: (.*))?$/;

/**
 * Reads cases in the form of contracts/README.md; those of another dialect are left out.
 *
 * @param file for messages
 * @throws Error when the file is not written so
 */
export function parseContractCases(
  text: string,
  file: string,
  dialect: CaseDialect,
  usual = noSurroundings,
): ContractTests {
  let around = usual;
  const found: (ContractCase & { readonly steps: CaseStep[]; readonly dialect: string | undefined })[] = [];
  const { deploys, contracts, drafts, dialect: ofAll } = draftsOf(text, file);
  for (const draft of drafts.map((one) => inDialect(one, dialect))) {
    const { directives, lines } = draft;
    const name = directives.get("case");
    if (directives.has("around")) {
      around = { text: lines.join("\n"), checks: 1 };
      if (!around.text.includes("$$case$$")) throw new Error(`${file}: the around has no $$case$$`);
    } else if (name !== undefined)
      found.push({
        ...{ name, steps: [step(draft, 0, around)], ownOnly: directives.get("own") },
        dialect: directives.get("dialect") ?? ofAll,
      });
    else if (found.length > 0) found.at(-1)!.steps.push(step(draft, found.at(-1)!.steps.length, around));
    else throw new Error(`${file}: a step comes before the first case`);
  }
  const cases = found.filter((one) => one.dialect === undefined || nameOf(one.dialect) === dialect);
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) throw new Error(`${file}: two cases have the same name`);
  return { deploys, contracts, cases };
}

const known = [
  ..."around case then alone deployer timestamp block phlo checks silent fails own system dialect".split(" "),
  ...["f1r3node fails", "f1r3node own"],
];

/** The name of a dialect; a file may use the name of an earlier version. */
function nameOf(dialect: string): string {
  return findDialect(dialect)?.name ?? dialect;
}

/** Replaces directives for all networks by those for networks of a dialect. */
function inDialect(draft: CaseDraft, dialect: CaseDialect): CaseDraft {
  const directives = new Map(draft.directives);
  for (const [name, value] of draft.directives)
    if (name.startsWith(`${dialect} `)) directives.set(name.slice(dialect.length + 1), value);
  return { ...draft, directives };
}

/** A file, before its cases are put together. */
interface Drafts {
  readonly deploys: string[];
  readonly contracts: string[];
  readonly drafts: CaseDraft[];
  /** The dialect of all cases that do not name another one. */
  dialect: string | undefined;
}

function draftsOf(text: string, file: string): Drafts {
  const found: Drafts = { deploys: [], contracts: [], drafts: [], dialect: undefined };
  for (const [index, line] of text.split("\n").entries()) {
    const [, written, value = ""] = directive.exec(line.trimEnd()) ?? [];
    const name = written?.replace(/^newer /, "f1r3node ");
    if (name === undefined) found.drafts.at(-1)?.lines.push(line);
    else if (isOfFile.has(name)) addToFile(found, { name, value, text: `${file}: ${line}` });
    else if (name === "dialect" && found.drafts.length === 0) found.dialect = value;
    else if (known.includes(name)) addToCase(found.drafts, { name, value, text: `${file}: ${line}` }, index + 2);
    else throw new Error(`${file}: unknown directive ${line}`);
  }
  return found;
}

interface Directive {
  readonly name: string;
  readonly value: string;
  /** For messages. */
  readonly text: string;
}

const isOfFile: ReadonlySet<string> = new Set(["deploy", "contracts"]);

function addToFile({ deploys, contracts, drafts }: Drafts, { name, value, text }: Directive): void {
  if (drafts.length > 0) throw new Error(`${text} comes after the first case`);
  if (name === "deploy") deploys.push(value);
  else contracts.push(...value.split(/,? +/));
}

const beginsDraft: ReadonlySet<string> = new Set(["case", "then", "around"]);

/** @param line the line of the file after the directive, counted from 1 */
function addToCase(drafts: CaseDraft[], { name, value, text }: Directive, line: number): void {
  // A line that directs keeps its place, so that the lines of the program are those of the file.
  if (beginsDraft.has(name)) drafts.push({ line, lines: [], directives: new Map() });
  else drafts.at(-1)?.lines.push("");
  const last = drafts.at(-1);
  if (last === undefined) throw new Error(`${text} comes before the first case`);
  last.directives.set(name, value);
}

function step({ directives, lines, line }: CaseDraft, index: number, around: ProgramWrapper): CaseStep {
  const body = lines.join("\n");
  const wrapper = directives.has("alone") ? "$$case$$" : around.text;
  const checks = directives.get("checks");
  const fails = directives.get("fails");
  if (fails === "") throw new Error("`fails` needs a part of the error's text");
  const isSilent = directives.has("silent") || fails !== undefined;
  const timestamp = directives.get("timestamp");
  return {
    program: {
      source: wrapper.replace("$$case$$", () => body),
      deployer: directives.get("deployer") ?? ordinaryProgram.deployer,
      // Two deploys of one key at one time would make the same names.
      timestamp: timestamp === undefined ? ordinaryProgram.timestamp + BigInt(index) : BigInt(timestamp),
      blockNumber: BigInt(directives.get("block") ?? ordinaryProgram.blockNumber),
      phloLimit: BigInt(directives.get("phlo") ?? ordinaryProgram.phloLimit),
      isSystem: directives.has("system"),
    },
    checks: isSilent ? 0 : checks === undefined ? around.checks : Number(checks),
    fails,
    prefix: wrapper.slice(0, wrapper.indexOf("$$case$$")),
    line,
  };
}
