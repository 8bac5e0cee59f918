import { evidenceTag, TestValidator, type TestValidatorOptions, testGenesis } from "@vedette/chain/testing";
import { type Block, type Dialect, f1r3node, rnode } from "@vedette/protocol";

/**
 * How a network judges equivocations: by the order in which their blocks arrive, by evidence, or by f1r3node's floors.
 */
export type RuleName = (typeof ruleNames)[number];

export const ruleNames = ["arrival", "evidence", "floors"] as const;

/** The dialect, genesis and validators of one network. */
export interface RuledNetwork {
  readonly dialect: Dialect;
  readonly genesis: Block;
  validator(name: string, options?: TestValidatorOptions): TestValidator;
}

/** A network of these validators under each of the rules. */
export function ruledNetworks(stakes: Readonly<Record<string, number>>): Readonly<Record<RuleName, RuledNetwork>> {
  return {
    arrival: networkOf(testGenesis(stakes), rnode),
    evidence: networkOf(testGenesis(stakes, evidenceTag), rnode),
    floors: networkOf(testGenesis(stakes, new Uint8Array(0), f1r3node), f1r3node, { followsFloors: true }),
  };
}

function networkOf(genesis: Block, dialect: Dialect, usual: TestValidatorOptions = {}): RuledNetwork {
  return { dialect, genesis, validator: (name, options) => new TestValidator(name, genesis, { ...usual, ...options }) };
}
