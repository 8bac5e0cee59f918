import { systemContracts } from "@vedette/contracts";
import { blake2b256, concatBytes, vaultAddressOfPublicKey } from "@vedette/crypto";
import { printPar } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState, type TestState } from "../contractTest/genesisState.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { exploreDeploy } from "../query/exploreDeploy.js";
import { walletBalanceTerm } from "../testing/walletTerms.js";

const contracts = ["Registry.rho", "NonNegativeNumber.rho", "AuthKey.rho", "ASIVault.rho"] as const;

/** The address of a test wallet by its number. */
function addressOf(index: number): string {
  const half = blake2b256(new TextEncoder().encode(`wallet ${index}`));
  return vaultAddressOfPublicKey(concatBytes(Uint8Array.of(4), half, half))!;
}

function balance(on: TestState, address: string): string {
  const anonymousKey = new Uint8Array(65).fill(4);
  const source = walletBalanceTerm(address);
  const result = exploreDeploy(on.states, {
    root: on.root,
    form: rnodeExecution,
    source,
    deployer: anonymousKey,
    signature: anonymousKey,
    timestamp: 0n,
  });
  if (result.kind === "failed") throw result.error;
  return result.pars.map((par) => printPar(par)).join();
}

function make(on: TestState, addresses: readonly string[]): TestState {
  const source = `new lookup(\`rho:registry:lookup\`), found in {
    lookup!(\`rho:rchain:asiVault\`, *found) |
    for (@(_, vaults) <- found) {
      ${addresses.map((address) => `@vaults!("findOrCreate", "${address}", *found)`).join(" |\n")}
    }
  }`;
  const result = runProgram(on, { ...ordinaryProgram, source });
  expect(result.errors).toEqual([]);
  return result.state;
}

/** Takes 1 from each of some wallets, as a charge does, for that of number 0. */
function charge(on: TestState, payers: readonly number[]): TestState {
  const calls = payers.map((index) => `charge!("${addressOf(index)}", "${addressOf(0)}", 1, *deployId)`);
  const source = `new deployId(\`rho:rchain:deployId\`), lookup(\`rho:registry:lookup\`), found, r in {
    lookup!(\`rho:rchain:asiVault\`, *found) |
    for (@(_, vaults) <- found) {
      @vaults!("systemTransfer", *r) | for (_, _, charge <- r) { ${calls.join(" |\n")} }
    }
  }`;
  const result = runProgram(on, { ...ordinaryProgram, source });
  expect(result.errors).toEqual([]);
  expect(result.messages.map(([either]) => printPar(either!))).toEqual(payers.map(() => "(true, Nil)"));
  return result.state;
}

describe("wallets of genesis", () => {
  test("without any, vaults can be made", () => {
    const genesis = genesisState(contracts, { wallets: [] });
    expect(balance(make(genesis, [addressOf(1)]), addressOf(1))).toBe("0");
  });

  test("without any, vaults cannot be filled after genesis", () => {
    const genesis = genesisState(systemContracts, { wallets: [] });
    const source = `new lookup(\`rho:registry:lookup\`), deployId(\`rho:rchain:deployId\`), found, r in {
      lookup!(\`rho:rchain:asiVault\`, *found) |
      for (@(_, vaults) <- found) { @vaults!("init", *r) | for (_, _, fill, _ <- r) { deployId!(*fill, "nothing") } }
    }`;
    expect(runProgram(genesis, { ...ordinaryProgram, source })).toMatchObject({ errors: [], messages: [] });
  });

  test("of an address that is there twice the last balance counts", () => {
    const wallets = [5n, 7n].map((amount) => ({ address: addressOf(1), balance: amount }));
    const genesis = genesisState(contracts, { wallets: [...wallets, { address: addressOf(2), balance: 9n }] });
    expect(balance(genesis, addressOf(1))).toBe("7");
    expect(balance(genesis, addressOf(2))).toBe("9");
  });

  test("of many batches are all there, and so are vaults made later among them", () => {
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    const wallets = numbers.map((index) => ({ address: addressOf(index), balance: BigInt(index) }));
    const genesis = genesisState(contracts, { wallets });
    expect(genesis.costs).toHaveLength(contracts.length + 3);
    const later = numbers.slice(0, 30).map((index) => addressOf(5000 + index));
    const state = make(genesis, later);
    for (const { address, balance: amount } of wallets.filter((_, index) => index % 5 === 0))
      expect(balance(state, address)).toBe(`${amount}`);
    for (const address of later) expect(balance(state, address)).toBe("0");

    const payers = numbers.slice(1, 30);
    const charged = charge(state, payers);
    for (const index of payers) expect(balance(charged, addressOf(index))).toBe(`${index - 1}`);
    expect(balance(charged, addressOf(0))).toBe(`${payers.length}`);
  });
});
