import { blake2b256, toHex } from "@vedette/crypto";
import { type Par, printPar } from "@vedette/terms";
import { expect } from "vitest";
import { testAddress, testKey } from "../contractTest/genesisState.js";
import type { GenesisParameters } from "../genesis/GenesisParameters.js";
import type { InvalidBlock } from "../runtime/Runtime.js";
import { F1r3nodeTestChain } from "./F1r3nodeTestChain.js";
import { type TestBlock, TestChain, type TestLedger } from "./TestChain.js";
import { walletBalanceTerm } from "./walletTerms.js";

export const stakes = { v1: 1000n, v2: 2000n, v3: 3000n };
export const walletBalance = 50_000_000_000_000_000n;

export interface Ground {
  readonly name: string;
  /** A chain of its own upon contracts that all share; those without parameters share their genesis too. */
  chain(parameters?: Partial<GenesisParameters>): TestLedger;
  /** How a bond of nothing is refused where a stake of nothing is allowed. */
  readonly bondOfNothing: string;
  /** The maximum events of a slash. */
  readonly slashEvents: number;
}

let plain: TestChain | undefined;
let f1r3nodePlain: F1r3nodeTestChain | undefined;
export const usual = () => ({ bonds: bondsOf(stakes), epochLength: 4, quarantineLength: 4 });

export function rnodeChain(parameters?: Partial<GenesisParameters>): TestChain {
  if (parameters !== undefined) return TestChain.onContracts({ ...usual(), ...parameters });
  plain ??= TestChain.onContracts(usual());
  return new TestChain({}, plain);
}

export function f1r3nodeChain(parameters?: Partial<GenesisParameters>): F1r3nodeTestChain {
  if (parameters !== undefined) return F1r3nodeTestChain.onContracts({ ...usual(), ...parameters });
  f1r3nodePlain ??= F1r3nodeTestChain.onContracts(usual());
  return new F1r3nodeTestChain({}, f1r3nodePlain);
}

export const grounds: readonly Ground[] = [
  {
    name: "rnode networks",
    chain: rnodeChain,
    bondOfNothing: "Bond deposit failed: Amount must be positive value",
    slashEvents: 33,
  },
  {
    name: "f1r3node networks",
    chain: f1r3nodeChain,
    bondOfNothing: "Bond amount must be positive.",
    slashEvents: 36,
  },
];

export function bondsOf(byName: Readonly<Record<string, bigint>>) {
  return Object.entries(byName).map(([name, stake]) => ({ validator: testKey(name).publicKey, stake }));
}

// Terms as clients send them. @spec 41 §10.3–§10.5

export function callTerm(call: string): string {
  return `new rl(\`rho:registry:lookup\`), poSCh, retCh, stdout(\`rho:io:stdout\`) in {
    stdout!("About to lookup PoS contract...") |
    rl!(\`rho:rchain:pos\`, *poSCh) |
    for (@(_, PoS) <- poSCh) {
      stdout!("About to call...") |
      new deployerId(\`rho:rchain:deployerId\`) in {
        @PoS!(${call}, *retCh) |
        for (@(result, message) <- retCh) { stdout!((result, message)) }
      }
    }
  }`;
}
export const bondTerm = (stake: bigint) => callTerm(`"bond", *deployerId, ${stake}`);
/** Two errors cost all phlo, whatever the dialect takes for one. */
export const failing = '@0!(1 + "a") | @1!(1 + "a")';
export const unbondTerm = callTerm('"withdraw", *deployerId');
export const queryTerm = (method: string) => `new return, rl(\`rho:registry:lookup\`), poSCh in {
    rl!(\`rho:rchain:pos\`, *poSCh) | for (@(_, PoS) <- poSCh) { @PoS!("${method}", *return) }
  }`;

/** Adds a block and returns the text that its programs printed. */
export function addPrinting(on: TestLedger, content: TestBlock): string {
  const printed: string[] = [];
  const { played } = on.add({ ...content, output: (_, term) => printed.push(printPar(term)) });
  expect(played.deploys.map(({ failed, systemDeployError }) => [failed, systemDeployError])).toEqual(
    played.deploys.map(() => [false, ""]),
  );
  return printed.filter((text) => text.startsWith("(")).join();
}

export function soleExpr(pars: readonly Par[]) {
  expect(pars).toHaveLength(1);
  return pars[0]!.exprs[0]!;
}

/** A map of public keys, by names of the test. */
export function ask(on: TestLedger, method: string): Record<string, bigint | string> {
  const expr = soleExpr(on.ask(queryTerm(method)));
  if (expr.kind !== "EMap") throw new Error(`${method} gave ${expr.kind}`);
  return Object.fromEntries(
    expr.kvs.map(({ key, value }) => {
      const bytes = key.exprs[0];
      if (bytes?.kind !== "GByteArray") throw new Error("not a public key");
      const one = value.exprs[0];
      return [nameOf(bytes.value), one?.kind === "GInt" ? one.value : printPar(value)];
    }),
  );
}

export const people = ["v1", "v2", "v3", "u1", "u2", "u3", "u4"];
const nameByKey = new Map(people.map((name) => [toHex(testKey(name).publicKey), name]));
export function nameOf(publicKey: Uint8Array): string {
  return nameByKey.get(toHex(publicKey)) ?? toHex(publicKey);
}

export function balance(on: TestLedger, address: string): bigint {
  const expr = soleExpr(on.ask(walletBalanceTerm(address)));
  if (expr.kind !== "GInt") throw new Error(`The balance of ${address} is ${expr.kind}`);
  return expr.value;
}

export function vaultAddress(on: TestLedger, method: "getInitialPosVault" | "getCoopVault"): string {
  const expr = soleExpr(on.ask(queryTerm(method)));
  if (expr.kind !== "ETuple") throw new Error(`${method} gave ${expr.kind}`);
  const address = expr.ps[method === "getCoopVault" ? 1 : 0]!.exprs[0];
  if (address?.kind !== "GString") throw new Error(`${method} has no address`);
  return address.value;
}

export const posBalance = (on: TestLedger) => balance(on, vaultAddress(on, "getInitialPosVault"));
export const personBalance = (on: TestLedger, name: string) => balance(on, testAddress(name));
export const active = (on: TestLedger) => on.activeValidators().map(nameOf).sort();
export const bonded = (on: TestLedger) =>
  Object.fromEntries(on.bonds().map(({ validator, stake }) => [nameOf(validator), stake]));

export function invalidBlockOf(name: string): InvalidBlock {
  return {
    blockHash: blake2b256(new TextEncoder().encode(`invalid block of ${name}`)),
    sender: testKey(name).publicKey,
  };
}

/** Fails unless exactly the vaults that must pay do so, among `count` vaults. */
export function expectVaultsAmong(chain: Ground["chain"], count: number): void {
  const names = Array.from({ length: count }, (_, index) => `wallet ${index}`);
  const wallets = names.map((name) => ({ address: testAddress(name), balance: 1_000_000n }));
  const on = chain({ wallets });
  const payers = names.filter((_, index) => index % 10 === 7);
  const deploys = [...payers, "poor", "poorer"].map((deployer) => ({
    deployer,
    term: "@0!(1)",
    phloLimit: 900_000n,
  }));
  const { played } = on.add({ deploys });
  const errors = played.deploys.map(({ systemDeployError }) => systemDeployError);
  const refusal = "Deploy payment failed: Insufficient funds";
  expect(errors).toEqual([...payers.map(() => ""), refusal, refusal]);
  expect(personBalance(on, payers[3]!)).toBe(1_000_000n - played.deploys[3]!.cost);
}
