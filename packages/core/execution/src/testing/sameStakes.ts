import { printPar } from "@vedette/terms";
import { expect } from "vitest";
import { type ContractProgram, ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState, type TestState } from "../contractTest/genesisState.js";
import { recordedGenesis } from "./recordedGenesis.js";

/** One thing that happens, at one block. */
interface Step {
  readonly call: string;
  readonly deployer: string;
  readonly blockNumber: number;
  readonly isSystem: boolean;
}

const questions = [
  "getBonds",
  "getActiveValidators",
  "getWithdrawers",
  "getPendingWithdrawer",
  "getRewards",
  "getCurrentEpochRewards",
];

/** Calls a method, then reads all visible state. */
function programOf({ call, isSystem }: Step): string {
  const token = isSystem ? ", token(`sys:casper:authToken`)" : "";
  const answers = questions.map((_, index) => `answer${index}`);
  const asked = questions.map((method, index) => `@pos!("${method}", *${answers[index]})`);
  return `new seen(\`rho:rchain:deployId\`), deployerId(\`rho:rchain:deployerId\`), lookup(\`rho:registry:lookup\`)${token},
      posCh, done, posVaultCh, coopCh, posBalance, coopBalance, ${answers.join(", ")} in {
    lookup!(\`rho:rchain:pos\`, *posCh) |
    for (@(_, pos) <- posCh) {
      @pos!(${call}, *done) |
      for (@result <- done) {
        ${asked.join(" | ")} | @pos!("getInitialPosVault", *posVaultCh) | @pos!("getCoopVault", *coopCh) |
        for (@(_, posVault) <- posVaultCh & @(_, _, coop) <- coopCh) {
          @posVault!("balance", *posBalance) | @coop!("balance", *coopBalance) |
          for (${answers.map((name) => `@${name} <- ${name}`).join(" & ")} & @posHas <- posBalance & @coopHas <- coopBalance) {
            seen!(result, posHas, coopHas, ${answers.join(", ")})
          }
        }
      }
    }
  }`;
}

/** A chain of calls on one state. */
class Run {
  private timestamp = ordinaryProgram.timestamp;

  constructor(private state: TestState) {}

  /** @returns the answer and everything that can be seen afterwards, as text */
  step(step: Step): string[] {
    const { deployer, isSystem } = step;
    this.timestamp += 1n;
    const program: ContractProgram = {
      ...ordinaryProgram,
      ...{ source: programOf(step), deployer, isSystem, timestamp: this.timestamp },
      ...{ blockNumber: BigInt(step.blockNumber), phloLimit: 2147483647n },
    };
    const { errors, messages, state } = runProgram(this.state, program);
    expect(errors, step.call).toEqual([]);
    expect(messages, step.call).toHaveLength(1);
    this.state = state;
    return messages[0]!.map((par) => printPar(par));
  }
}

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const people = ["v1", "v2", "v3", "u1", "u2", "u3"];

function* steps(seed: number, count: number): Generator<Step> {
  const next = numbers(seed);
  let blockNumber = 1;
  // Leaves out what makes rnode fail or lose stake (41 §6.9.5): no validator bonds twice, and v1 keeps its stake. With
  // a total of 0 the change of an epoch divides by 0.
  const bonded = new Set(["v1"]);
  const inBonds = new Set<string>();
  for (let index = 0; index < count; index++) {
    blockNumber += next(2);
    const deployer = people[next(people.length)]!;
    const choice = next(10);
    const user = { deployer, blockNumber, isSystem: false };
    const system = { deployer, blockNumber, isSystem: true };
    if (choice < 3) {
      const amount = 1 + next(100_000);
      yield { ...system, call: `"chargeDeploy", *deployerId, ${amount}, *token` };
      yield { ...system, call: `"refundDeploy", ${next(amount)}, *token` };
    } else if (choice < 5 && !bonded.has(deployer)) {
      const amount = next(4) * next(1_000_000);
      if (amount > 0) bonded.add(deployer);
      if (amount > 0) inBonds.add(deployer);
      yield { ...user, call: `"bond", *deployerId, ${amount}` };
    } else if (choice === 5 && deployer !== "v1") {
      inBonds.delete(deployer);
      yield { ...user, call: `"withdraw", *deployerId` };
    } else if (choice === 6 && inBonds.has(deployer)) {
      yield { ...system, call: `"slash", *deployerId, "00".hexToBytes(), *token` };
    } else if (choice > 7) {
      yield { ...system, call: '"closeBlock", *token', blockNumber };
      blockNumber = 10 * Math.floor(blockNumber / 10 + 1);
      yield { ...system, call: '"closeBlock", *token', blockNumber };
      blockNumber += 1;
    } else yield { ...user, call: '"commitRandomImage", *deployerId, "00".hexToBytes()' };
  }
}

/** Fails if our contract and rnode's differ visibly after any of these random steps. */
export function expectSameStakes(seed: number, count: number): void {
  const own = new Run(
    genesisState([
      "Registry.rho",
      "NonNegativeNumber.rho",
      "AuthKey.rho",
      "ASIVault.rho",
      "MultiSigASIVault.rho",
      "PoS.rhox",
    ]),
  );
  const reference = new Run(recordedGenesis());
  const history: string[] = [];
  for (const step of steps(seed, count)) {
    history.push(`#${step.blockNumber} ${step.deployer} ${step.call}`);
    expect(own.step(step), history.join("\n")).toEqual(reference.step(step));
  }
}
