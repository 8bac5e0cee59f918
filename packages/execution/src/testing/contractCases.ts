import { readFileSync } from "node:fs";
import { type ContractProgram, ordinaryProgram } from "./contractProgram.js";

/** One program of a case, and what it must do. */
export interface CaseStep {
  readonly program: ContractProgram;
  /** How many checks it sends. */
  readonly checks: number;
  /** Part of the error with which it must fail. */
  readonly fails: string | undefined;
}

/** A case: programs that run one after another, each on the state that the one before left. */
export interface ContractCase {
  readonly name: string;
  readonly steps: readonly CaseStep[];
  /** Why the reference's contracts answer otherwise. */
  readonly ownOnly: string | undefined;
}

interface Draft {
  readonly lines: string[];
  readonly directives: Map<string, string>;
}

const directive = /^\/\/: ([a-z]+)(?: (.*))?$/;

/**
 * Reads cases from `contracts/tests`.
 *
 * @param file its name there
 * @throws Error when the file is not written as contracts/README.md says
 */
export function contractCases(file: string): ContractCase[] {
  const text = readFileSync(new URL(`../../../../contracts/tests/${file}`, import.meta.url), "utf8");
  return parseContractCases(text, file);
}

/** @param file for messages */
export function parseContractCases(text: string, file: string): ContractCase[] {
  let around = "$$case$$";
  const cases: { readonly name: string; readonly drafts: Draft[] }[] = [];
  for (const draft of draftsOf(text, file)) {
    const name = draft.directives.get("case");
    if (draft.directives.has("around")) {
      around = draft.lines.join("\n");
      continue;
    }
    draft.directives.set("wrapper", around);
    if (name !== undefined) cases.push({ name, drafts: [draft] });
    else if (cases.length > 0) cases.at(-1)!.drafts.push(draft);
    else throw new Error(`${file}: a step stands before the first case`);
  }
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) throw new Error(`${file}: two cases have the same name`);
  return cases.map(({ name, drafts }) => ({
    name,
    steps: drafts.map((draft, index) => step(draft, index)),
    ownOnly: drafts[0]!.directives.get("own"),
  }));
}

const known = "around case then alone deployer timestamp block phlo checks silent fails own system".split(" ");

function draftsOf(text: string, file: string): Draft[] {
  const drafts: Draft[] = [];
  for (const line of text.split("\n")) {
    const [, name, value = ""] = directive.exec(line) ?? [];
    if (name === undefined) {
      drafts.at(-1)?.lines.push(line);
      continue;
    }
    if (!known.includes(name)) throw new Error(`${file}: unknown directive ${line}`);
    if (name === "case" || name === "then" || name === "around") drafts.push({ lines: [], directives: new Map() });
    const last = drafts.at(-1);
    if (last === undefined) throw new Error(`${file}: ${line} stands before the first case`);
    last.directives.set(name, value);
  }
  return drafts;
}

function step({ directives, lines }: Draft, index: number): CaseStep {
  const body = lines.join("\n");
  const wrapper = directives.has("alone") ? "$$case$$" : directives.get("wrapper")!;
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
    checks: isSilent ? 0 : Number(directives.get("checks") ?? 1),
    fails,
  };
}
