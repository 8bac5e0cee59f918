import { addressOfKey } from "@vedette/client";
import {
  f1r3nodeContracts,
  f1r3nodeGenesisState,
  genesisState,
  rnodeExecution,
  type TestState,
} from "@vedette/execution";
import { testKey } from "@vedette/node/testing";
import type { Par } from "@vedette/terms";

/** The state with which programs begin. */
export interface StartState extends Pick<TestState, "states" | "root"> {
  readonly environment: ReadonlyMap<string, Par>;
  /** A program that names system contracts as on rnode networks, in the names of the dialect. */
  readonly programText: (source: string) => string;
}

/** Address of the vault of a test user. */
export function addressOf(user: string): string {
  return addressOfKey(testKey(user));
}

/** The state after a genesis of our own contracts, and the names of a deploy of `u1`. */
export function deployState(dialect: "rnode" | "f1r3node"): StartState {
  const { states, root, trial } =
    dialect === "rnode" ? genesisState(contractsOfRnode) : f1r3nodeGenesisState(f1r3nodeContracts);
  const deploy = { signature: new Uint8Array(signatureBytes), deployer: testKey("u1").publicKey };
  const environment = (trial?.execution ?? rnodeExecution).deployEnvironment(deploy);
  return { states, root, environment, programText: (source) => trial?.programText(source) ?? source };
}

const contractsOfRnode = [
  "Registry.rho",
  "NonNegativeNumber.rho",
  "MakeMint.rho",
  "AuthKey.rho",
  "ASIVault.rho",
] as const;

/** Any will do: no program looks into it. */
const signatureBytes = 64;
