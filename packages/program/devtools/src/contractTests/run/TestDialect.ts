import {
  contractSource,
  type F1r3nodeContract,
  f1r3nodeContractSource,
  f1r3nodeContracts,
  type SystemContract,
  systemContracts,
} from "@vedette/contracts";
import {
  type CaseDialect,
  type ContractTestDialect,
  f1r3nodeExecution,
  f1r3nodeGenesisState,
  f1r3nodeTestParameters,
  genesisState,
  rnodeExecution,
  testParameters,
} from "@vedette/execution";
import { compile, f1r3nodeInterpreter } from "@vedette/rholang";
import { type Par, printF1r3nodePar, printPar } from "@vedette/terms";
import { f1r3nodeSpace, rnodeSpace, type SpaceDialect, type StateStore } from "@vedette/tuplespace";

/** Where tests run: the genesis of a network of a dialect, and how programs are compiled, run and shown there. */
export interface TestDialect {
  readonly name: CaseDialect;
  readonly space: SpaceDialect;
  /** Programs are taken as they are: what a network does not know must fail in its tests. */
  readonly trial: ContractTestDialect;
  /** The contracts of genesis, in their order. */
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
  rnode: {
    name: "rnode",
    space: rnodeSpace,
    trial: { execution: rnodeExecution, programText: asItIs },
    contracts: systemContracts,
    compile: (source) => void compile(source),
    print: printPar,
    playGenesis: (contracts, states) => genesisState(contracts as readonly SystemContract[], {}, states).root,
    sources: (contracts) => [
      parametersText(testParameters()),
      ...contracts.map((name) => contractSource(name as SystemContract)),
    ],
  },
  f1r3node: {
    name: "f1r3node",
    space: f1r3nodeSpace,
    trial: { execution: f1r3nodeExecution, programText: asItIs },
    contracts: f1r3nodeContracts,
    compile: (source) => void f1r3nodeInterpreter.grammar.compile(source),
    print: printF1r3nodePar,
    playGenesis: (contracts, states) => f1r3nodeGenesisState(contracts as readonly F1r3nodeContract[], {}, states).root,
    sources: (contracts) => [
      "f1r3node",
      parametersText(f1r3nodeTestParameters()),
      ...contracts.map((name) => f1r3nodeContractSource(name as F1r3nodeContract)),
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
