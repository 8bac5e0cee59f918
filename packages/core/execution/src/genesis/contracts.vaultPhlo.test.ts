import { systemContracts } from "@vedette/contracts";
import { areRecordingsThere } from "@vedette/testing";
import { beforeAll, expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { genesisState, type TestState, testAddress } from "../contractTest/genesisState.js";
import { recordedGenesis } from "../testing/recordedGenesis.js";
import { walletBalanceTerm, walletTransferTerm } from "../testing/walletTerms.js";

const [u1, u2, zoe] = ["u1", "u2", "zoe"].map((name) => testAddress(name)) as [string, string, string];

/** The first are whole deploys; of the others counts the difference to the deploy without the call. */
const rows: readonly (readonly [name: string, source: string, without: string | undefined, maxPhlo: number])[] = [
  ["deploy: balance of a vault", walletBalanceTerm(u1), undefined, 5364],
  ["deploy: balance of an address without a vault", walletBalanceTerm(zoe), undefined, 13907],
  ["deploy: transfer to a vault", walletTransferTerm(u1, u2, 5n), undefined, 22221],
  ["deploy: transfer to an address without a vault", walletTransferTerm(u1, zoe, 5n), undefined, 30743],
  ["deploy: transfer of more than there is", walletTransferTerm(u1, u2, 2n ** 62n), undefined, 20086],
  call("findOrCreate of a vault", `@vaults!("findOrCreate", "${u1}", *r)`, 2513),
  call("findOrCreate of a new vault", `@vaults!("findOrCreate", "${zoe}", *r)`, 11072),
  call("deployerAuthKey", '@vaults!("deployerAuthKey", *deployerId, *r)', 3160),
  call("create of a multi-signature vault", '@multiSigs!("create", [], [unseal], 1, *r)', 25505),
  [
    "transfer from a multi-signature vault",
    multiSigTerm('@multi!("transfer", $to, 10, box, *r) | for (@(true, (false, "done")) <- r) { Nil }'),
    multiSigTerm("Nil"),
    19989,
  ],
  call("makePurse", '@mint!("makePurse", 7, *r)', 5425),
  call("split of a purse", '@a!("split", 3, *r)', 8459),
  call("deposit of a purse", '@a!("deposit", 3, b, *r)', 9155),
];

function call(name: string, source: string, maxPhlo: number): (typeof rows)[number] {
  return [name, vaultsTerm(`${source} | for (_ <- r) { Nil }`), vaultsTerm("Nil"), maxPhlo];
}

function vaultsTerm(body: string): string {
  return `new deployerId(\`rho:rchain:deployerId\`), lookup(\`rho:registry:lookup\`), p, q, r, s, t in {
  lookup!(\`rho:rchain:asiVault\`, *p) | lookup!(\`rho:rchain:multiSigASIVault\`, *q) | lookup!(\`rho:rchain:makeMint\`, *r) |
  for (@(_, vaults) <- p & @(_, multiSigs) <- q & @(_, makeMint) <- r) {
    @multiSigs!("makeSealerUnsealer", *p) | @makeMint!(*q) |
    for (@(seal, unseal) <- p & @mint <- q) {
      @mint!("makePurse", 5, *p) | @mint!("makePurse", 5, *q) |
      for (@a <- p & @b <- q) { ${body} }
    }
  }
}`;
}

function multiSigTerm(body: string): string {
  return vaultsTerm(`@multiSigs!("create", [], [unseal], 1, *r) | for (@(true, (multi, address, _)) <- r) {
    @vaults!("findOrCreate", "${u1}", *r) | @vaults!("deployerAuthKey", *deployerId, *s) |
    for (@(true, vault) <- r & @key <- s) {
      @vault!("transfer", address, 1000, key, *t) | @seal!((multi, "${u2}", 10, *r), *s) |
      for (@(true, _) <- t & @box <- s) { ${body.replace("$to", `"${u2}"`)} }
    }
  }`);
}

function costs(state: TestState): ReadonlyMap<string, number> {
  const cost = (source: string) => {
    const result = runProgram(state, { ...ordinaryProgram, source });
    expect(result.errors, source).toEqual([]);
    return Number(result.cost);
  };
  return new Map(
    rows.map(([name, source, without]) => [name, cost(source) - (without === undefined ? 0 : cost(without))]),
  );
}

let own: ReadonlyMap<string, number>;
beforeAll(() => {
  own = costs(genesisState(systemContracts));
});

test.each(rows.map(([name, , , maxPhlo]) => [name, maxPhlo] as const))(
  "%s costs no more than contracts/README.md states",
  (name, maxPhlo) => {
    expect(own.get(name)).toBeLessThanOrEqual(maxPhlo);
  },
);

if (areRecordingsThere)
  test("deploys cost less than a fifth of what rnode's do", () => {
    const reference = costs(recordedGenesis());
    for (const [name, cost] of own)
      expect.soft(name.startsWith("deploy: ") ? 5 * cost : cost, name).toBeLessThan(reference.get(name)!);
  });
