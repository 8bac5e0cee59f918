import { readFileSync } from "node:fs";
import type { SystemContract } from "@vedette/contracts";
import { equalPar, type Par, printPar } from "@vedette/terms";
import { chainsDirectory } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import type { GenesisParameters } from "../genesis/GenesisParameters.js";
import { type CaseStep, type ContractCase, parseContractCases } from "../trial/contractCases.js";
import { type ProgramResult, runProgram } from "../trial/contractProgram.js";
import { genesisState, type TestState } from "../trial/genesisState.js";
import { recordedGenesis } from "./recordedGenesis.js";

/** Where and on what the cases of a file run. */
export interface ContractCheck {
  /** In `contracts/tests`. */
  readonly file: string;
  readonly contracts: readonly SystemContract[];
  readonly parameters?: Partial<GenesisParameters>;
  /** Whether the reference's contracts must answer the same, where its recorded genesis is at hand. */
  readonly alsoOnRecorded: boolean;
}

/** Makes a test of every case of a file. */
export function checkContract({ file, contracts, parameters, alsoOnRecorded }: ContractCheck): void {
  const url = new URL(`../../../../contracts/tests/${file}`, import.meta.url);
  const { cases } = parseContractCases(readFileSync(url, "utf8"), file);
  checkCases(file, cases, () => genesisState(contracts, parameters));
  if (!alsoOnRecorded) return;
  const isMissing = chainsDirectory() === undefined;
  const note = isMissing ? " (skipped: ../shared is not there)" : "";
  describe.skipIf(isMissing)(`the reference's contracts${note}`, () => {
    const shared = cases.filter(({ ownOnly }) => ownOnly === undefined);
    checkCases(file, shared, () => recordedGenesis());
  });
}

function checkCases(file: string, cases: readonly ContractCase[], makeState: () => TestState): void {
  describe(file, () => {
    let genesis: TestState;
    beforeAll(() => {
      genesis = makeState();
    });
    test.each(cases.map((one) => [one.name, one] as const))("%s", (_, { steps }) => {
      let state = genesis;
      for (const step of steps) {
        const result = runProgram(state, step.program);
        checkStep(step, result);
        state = result.state;
      }
    });
  });
}

/** @throws when a step did anything but what its case says */
export function checkStep({ program, checks, fails }: CaseStep, { errors, messages }: ProgramResult): void {
  if (fails === undefined) expect(errors, program.source).toEqual([]);
  else expect(errors.join("\n") || "no error", program.source).toContain(fails);
  for (const pars of messages) {
    const [actual, expected] = pars;
    if (pars.length !== 2 || actual === undefined || expected === undefined)
      expect.fail(`A check is a message of two values, not ${printAll(pars)}`);
    else if (!equalPar(actual, expected)) {
      expect(printPar(actual)).toBe(printPar(expected));
      expect.fail(`Two different processes are both printed as ${printPar(actual)}`);
    }
  }
  expect(messages.length, `number of checks; sent was ${messages.map(printAll).join(" and ")}`).toBe(
    checks ?? Math.max(1, messages.length),
  );
}

function printAll(pars: readonly Par[]): string {
  return `(${pars.map((par) => printPar(par)).join(", ")})`;
}
