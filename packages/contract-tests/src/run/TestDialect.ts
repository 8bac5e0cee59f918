import {
  contractSource,
  type NewerContract,
  newerContractSource,
  newerContracts,
  type SystemContract,
  systemContracts,
} from "@vedette/contracts";
import {
  type CaseDialect,
  genesisState,
  newerGenesisState,
  newerTestParameters,
  rustExecution,
  scalaExecution,
  type Trial,
  testParameters,
} from "@vedette/execution";
import { compile, rustInterpreter } from "@vedette/rholang";
import { type Par, printPar, printRustPar } from "@vedette/terms";
import { rustSpace, type SpaceForm, type StateStore, scalaSpace } from "@vedette/tuplespace";

/** Where tests run: the genesis of a network of a dialect, and how programs are compiled, run and shown there. */
export interface TestDialect {
  readonly name: CaseDialect;
  readonly space: SpaceForm;
  /** Programs are taken as they are: what a network does not know must fail in its tests. */
  readonly trial: Trial;
  /** Of genesis, in their order. */
  readonly contracts: readonly string[];
  /** @throws {InterpreterError} */
  compile(source: string): void;
  print(par: Par): string;
  /** Plays the genesis with these of its contracts into a store. @returns its root @throws Error when one fails */
  playGenesis(contracts: readonly string[], states: StateStore): Uint8Array;
  /** From which the state of genesis is made. */
  sources(contracts: readonly string[]): readonly string[];
}

const asItIs = (source: string) => source;

const testDialects: Readonly<Record<CaseDialect, TestDialect>> = {
  "rnode-scala": {
    name: "rnode-scala",
    space: scalaSpace,
    trial: { execution: scalaExecution, programText: asItIs },
    contracts: systemContracts,
    compile: (source) => void compile(source),
    print: printPar,
    playGenesis: (contracts, states) => genesisState(contracts as readonly SystemContract[], {}, states).root,
    sources: (contracts) => [
      parametersText(testParameters()),
      ...contracts.map((name) => contractSource(name as SystemContract)),
    ],
  },
  "rnode-rust": {
    name: "rnode-rust",
    space: rustSpace,
    trial: { execution: rustExecution, programText: asItIs },
    contracts: newerContracts,
    compile: (source) => void rustInterpreter.grammar.compile(source),
    print: printRustPar,
    playGenesis: (contracts, states) => newerGenesisState(contracts as readonly NewerContract[], {}, states).root,
    sources: (contracts) => [
      "rnode-rust",
      parametersText(newerTestParameters()),
      ...contracts.map((name) => newerContractSource(name as NewerContract)),
    ],
  },
};

/** The dialect of this name. */
export function testDialectOf(name: CaseDialect): TestDialect {
  return testDialects[name];
}

function parametersText(parameters: object): string {
  return JSON.stringify(parameters, (_, value) => (typeof value === "bigint" ? `${value}` : value));
}
