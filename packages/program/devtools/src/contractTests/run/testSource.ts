import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type CaseDialect,
  type ContractTests,
  ordinaryProgram,
  type ProgramCoverage,
  parseContractCases,
  runProgram,
  type TestState,
} from "@vedette/execution";
import { assertions } from "../assertions.js";
import type { Deployed } from "./runCase.js";
import type { TestDialect } from "./TestDialect.js";

/** Reads the cases of a file. @throws Error in one sentence */
export function readTests(file: string, text: string, dialect: CaseDialect): ContractTests {
  return parseContractCases(text.replaceAll("\r\n", "\n"), file, dialect, assertions);
}

/**
 * Runs the programs that a file wants deployed before its cases.
 *
 * @param coverage counts what of them runs, by their paths
 * @returns the state afterwards, and what the last of them sent to its deploy's id
 * @throws Error when one of them fails
 */
export function deployPrograms(
  genesis: TestState,
  file: string,
  { deploys, print }: Pick<ContractTests, "deploys"> & Pick<TestDialect, "print">,
  coverage?: ProgramCoverage,
): { readonly state: TestState; readonly deployed: Deployed } {
  let state = genesis;
  let deployed: Deployed = [];
  for (const [index, path] of deploys.entries()) {
    const place = join(dirname(file), path);
    const source = readFileSync(place, "utf8");
    // Before the cases, which have times of their own: two deploys of one key at one time would make the same names.
    const timestamp = ordinaryProgram.timestamp - BigInt(deploys.length - index);
    const result = runProgram(state, { ...ordinaryProgram, source, timestamp }, { tracer: coverage?.tracer(place) });
    if (result.errors.length > 0) throw new Error(`${path} cannot be deployed: ${result.errors.join("\n")}`);
    deployed = result.messages.flat().map((par) => print(par));
    state = result.state;
  }
  return { state, deployed };
}
