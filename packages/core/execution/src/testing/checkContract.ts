import { readFileSync } from "node:fs";
import { type F1r3nodeContract, f1r3nodeContracts, type SystemContract } from "@vedette/contracts";
import type { Deploy } from "@vedette/protocol";
import { equalPar, type Par, printPar } from "@vedette/terms";
import { areRecordingsThere } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { f1r3nodeTrial } from "../contractTest/ContractTestDialect.js";
import {
  type CaseDialect,
  type CaseStep,
  type ContractCase,
  parseContractCases,
} from "../contractTest/contractCases.js";
import { type ProgramResult, runProgram } from "../contractTest/contractProgram.js";
import { f1r3nodeTestParameters } from "../contractTest/f1r3nodeGenesisState.js";
import { type TestState, testParameters } from "../contractTest/genesisState.js";
import { f1r3nodeGenesis } from "../genesis/f1r3nodeGenesis.js";
import type { GenesisParameters } from "../genesis/GenesisParameters.js";
import { genesisDeploysOf } from "../genesis/genesisDeploys.js";
import { rnodeGenesis } from "../genesis/rnodeGenesis.js";
import { f1r3nodeRecordedGenesis, recordedGenesis } from "./recordedGenesis.js";
import { f1r3nodeShared, rnodeShared, type SharedGenesis } from "./SharedGenesis.js";

/** Where and on what the cases of a file run. */
export interface ContractCheck {
  /** In `contracts/tests`. */
  readonly file: string;
  readonly contracts: readonly SystemContract[];
  readonly parameters?: Partial<GenesisParameters>;
  /** Whether rnode's contracts must answer the same, where the recordings are there. */
  readonly alsoOnRecorded: boolean;
}

/** Makes a test of every case of a file, on networks of both dialects. */
export function checkContract(check: ContractCheck): void {
  const { contracts, parameters } = check;
  checkOn(check, "rnode", {
    own: () => stateOf(rnodeShared, genesisDeploysOf(contracts, { ...testParameters(), ...parameters }, rnodeGenesis)),
    recorded: () => recordedGenesis(),
  });
  describe("on f1r3node networks", () => {
    checkOn(check, "f1r3node", {
      own: () => f1r3nodeState(contracts.flatMap(f1r3nodeNames), parameters),
      recorded: () => f1r3nodeRecordedGenesis(),
    });
  });
}

/** Makes a test of every case of a file that is about f1r3node networks alone. */
export function checkF1r3nodeContract(check: Pick<ContractCheck, "file" | "alsoOnRecorded">): void {
  checkOn(check, "f1r3node", {
    own: () => f1r3nodeState(f1r3nodeContracts),
    recorded: () => f1r3nodeRecordedGenesis(),
  });
}

function f1r3nodeState(contracts: readonly F1r3nodeContract[], parameters: Partial<GenesisParameters> = {}): TestState {
  const deploys = genesisDeploysOf(contracts, { ...f1r3nodeTestParameters(), ...parameters }, f1r3nodeGenesis);
  return { ...stateOf(f1r3nodeShared, deploys), trial: f1r3nodeTrial };
}

function stateOf(shared: SharedGenesis, deploys: readonly Deploy[]): TestState {
  return { states: shared.states, root: shared.stateAfter(deploys) };
}

/** Returns the contracts of f1r3node's genesis that correspond to a contract. */
function f1r3nodeNames(contract: SystemContract): F1r3nodeContract[] {
  const name = contract.replace("ASI", "System");
  return f1r3nodeContracts.filter((one) => one === name);
}

interface Ground {
  readonly own: () => TestState;
  readonly recorded: () => TestState;
}

function checkOn(
  { file, alsoOnRecorded }: Pick<ContractCheck, "file" | "alsoOnRecorded">,
  dialect: CaseDialect,
  { own, recorded }: Ground,
): void {
  const url = new URL(`../../../../../contracts/tests/${file}`, import.meta.url);
  const { cases } = parseContractCases(readFileSync(url, "utf8"), file, dialect);
  checkCases(file, cases, own);
  if (!alsoOnRecorded || !areRecordingsThere) return;
  describe("rnode's contracts", () => {
    const shared = cases.filter(({ ownOnly }) => ownOnly === undefined);
    checkCases(file, shared, recorded);
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

/** @throws if a step's result differs from what its case states */
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
