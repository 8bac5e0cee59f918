import { blake2b256, concatBytes, vaultAddressOfPublicKey } from "@vedette/crypto";
import { printPar } from "@vedette/terms";
import { expect, test } from "vitest";
import { testAddress } from "../contractTest/genesisState.js";
import { findNumberEntry } from "../merge/f1r3node/numberEntryStore.js";
import { mergeableIdOf } from "../merge/mergeableStore.js";
import { findTransfers } from "../outcome/outcomeRecord.js";
import { F1r3nodeTestChain } from "../testing/F1r3nodeTestChain.js";
import { walletBalanceTerm, walletTransferTerm } from "../testing/walletTerms.js";

/** The address of a test wallet by its number. */
function addressOf(index: number): string {
  const half = blake2b256(new TextEncoder().encode(`wallet ${index}`));
  return vaultAddressOfPublicKey(concatBytes(Uint8Array.of(4), half, half))!;
}

const balance = (on: F1r3nodeTestChain, address: string) =>
  on.ask(walletBalanceTerm(address)).map((par) => printPar(par));

test("wallets of several batches are all there, and of an address that is there twice the last balance counts", () => {
  const wallets = Array.from({ length: 101 }, (_, index) => ({ address: addressOf(index), balance: BigInt(index) }));
  const on = F1r3nodeTestChain.onContracts({ wallets: [...wallets, { address: addressOf(7), balance: 5000n }] });
  // Two of vaults, and proof of stake.
  expect(on.genesis.body.deploys).toHaveLength(3);
  for (const index of [0, 99, 100]) expect(balance(on, addressOf(index))).toEqual([`${index}`]);
  expect(balance(on, addressOf(7))).toEqual(["5000"]);
  expect(balance(on, addressOf(101))).toEqual(["0"]);
});

test("a transfer moves money, is reported to block watchers, and its balances are number channels", () => {
  const on = new F1r3nodeTestChain();
  const term = walletTransferTerm(testAddress("u1"), testAddress("u2"), 70n);
  const { block } = on.add({ deploys: [{ deployer: "u1", term }] });
  const [processed] = block.body.deploys;
  expect(processed).toMatchObject({ failed: false, systemDeployError: "" });
  expect(balance(on, testAddress("u2"))).toEqual([`${50_000_000_000_000_070n}`]);
  expect(balance(on, testAddress("u1"))).toEqual([`${50_000_000_000_000_000n - 70n - processed!.cost}`]);
  const transfers = findTransfers(on.store, mergeableIdOf(block))!.deploys[0]!.flat();
  expect(transfers).toContainEqual(
    expect.objectContaining({ from: testAddress("u1"), to: testAddress("u2"), amount: 70n, failure: undefined }),
  );
  const changes = findNumberEntry(on.store, mergeableIdOf(block))!;
  // The changes of the payer, of the payee, and of proof of stake, which takes the fee.
  const ofDeploy = [...changes[0]!.values()];
  expect(ofDeploy.every(({ kind }) => kind === "add")).toBe(true);
  expect(ofDeploy.reduce((sum, { difference }) => sum + difference, 0n)).toBe(0n);
});

test("what genesis leaves on number channels is kept for merges", () => {
  const on = new F1r3nodeTestChain();
  const entry = findNumberEntry(on.store, mergeableIdOf(on.genesis));
  expect(entry).toHaveLength(on.genesis.body.deploys.length);
  const all = entry!.flatMap((changes) => [...changes.values()]);
  expect(all.length).toBeGreaterThan(7);
});
