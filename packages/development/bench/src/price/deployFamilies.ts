import { addressOf } from "./deployState.js";
import { list, type PriceFamilies, type PriceFamily, times } from "./PriceFamily.js";

/** A deploy that finds a system contract and calls it `n` times, one after the other. */
const calls = (urn: string, beforehand: string, call: string): PriceFamily => ({
  from: 10,
  isDeploy: true,
  source: (n) => `new lookup(\`rho:registry:lookup\`), found, ready, r, s in {
  lookup!(\`${urn}\`, *found) |
  for (@contract_ <- found) { ${beforehand} | for (@v <- ready) {
    new loop in { contract loop(@n) = { if (n > 0) { ${call} | for (_ <- r) { loop!(n - 1) } } } | loop!(${n}) }
  } }
}`,
});

const onVaults = (beforehand: string, call: string): PriceFamily => {
  const { source, ...family } = calls("rho:rchain:asiVault", beforehand, call);
  const pair = (text: string) => text.replace("for (@contract_ <- found)", "for (@(_, contract_) <- found)");
  return {
    ...family,
    source: (n) => pair(source(n)).replace("new lookup", "new deployerId(`rho:rchain:deployerId`), lookup"),
  };
};

const registry = (names: string, body: string): PriceFamily => ({
  from: 20,
  isDeploy: true,
  source: (n) => `new ${names}, r, s in { ${times(body, n)} }`,
});

/** The operations of deploys with the contracts of genesis and the processes of the node. */
export const deployFamilies: PriceFamilies = {
  "registry insert": registry("insert(`rho:registry:insertArbitrary`)", "insert!(n, *r) | for (_ <- r) { Nil }"),
  "registry lookup": registry(
    "lookup(`rho:registry:lookup`)",
    "lookup!(`rho:lang:treeHashMap`, *r) | for (_ <- r) { Nil }",
  ),
  "registry addresses": registry(
    "ops(`rho:registry:ops`)",
    `ops!("buildUri", "${"00".repeat(32)}".hexToBytes(), *r) | for (_ <- r) { Nil }`,
  ),
  "tree hash map, set": calls(
    "rho:lang:treeHashMap",
    '@contract_!("init", 3, *ready)',
    '@contract_!("set", v, n, n, *r)',
  ),
  "tree hash map, get": calls("rho:lang:treeHashMap", '@contract_!("init", 3, *ready)', '@contract_!("get", v, n, *r)'),
  "vault balances": onVaults(
    `@contract_!("findOrCreate", "${addressOf("u1")}", *s) | for (@(_, vault) <- s) { ready!(vault) }`,
    '@v!("balance", *r)',
  ),
  "vault transfers": onVaults(
    `@contract_!("findOrCreate", "${addressOf("u1")}", *s) | @contract_!("deployerAuthKey", *deployerId, *found) |
     for (@(_, vault) <- s & @key <- found) { ready!((vault, key)) }`,
    `match v { (vault, key) => { @vault!("transfer", "${addressOf("u2")}", 1, key, *r) } }`,
  ),
  "new vaults": onVaults("ready!(Nil)", '@contract_!("findOrCreate", "no address", *r)'),
  "hashes of many kinds": registry(
    "a(`rho:crypto:keccak256Hash`), b(`rho:crypto:sha256Hash`)",
    'a!("00".hexToBytes(), *r) | b!("00".hexToBytes(), *s) | for (_ <- r & _ <- s) { Nil }',
  ),
  "hash of large bytes": registry(
    "a(`rho:crypto:sha256Hash`), c",
    `a!("${"00".repeat(5_000)}".hexToBytes(), *r) | for (_ <- r) { Nil }`,
  ),
  "signatures of ed25519": registry(
    "check(`rho:crypto:ed25519Verify`)",
    `check!(${bytes(32)}, ${bytes(64)}, ${bytes(32)}, *r) | for (_ <- r) { Nil }`,
  ),
  "signatures of secp256k1": registry(
    "check(`rho:crypto:secp256k1Verify`)",
    `check!(${bytes(32)}, "3044022079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798022079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798".hexToBytes(), "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8".hexToBytes(), *r) | for (_ <- r) { Nil }`,
  ),
  "text of a name": registry("id(`rho:rchain:deployId`)", "match (*id).toString().length() { _ => Nil }"),
  "facts of the block": registry("data(`rho:block:data`)", "data!(*r) | for (_ <- r) { Nil }"),
  "addresses of keys": registry(
    "address(`rho:asi:address`)",
    `address!("fromPublicKey", ${bytes(65)}, *r) | for (_ <- r) { Nil }`,
  ),
  "addresses checked": registry(
    "address(`rho:asi:address`)",
    `address!("validate", "${addressOf("u1")}", *r) | for (_ <- r) { Nil }`,
  ),
  "many names of the node": { ...registry("x", "Nil"), source: namesOfNode },
};

function bytes(length: number): string {
  return `"${"02".repeat(length)}".hexToBytes()`;
}

function namesOfNode(n: number): string {
  return `new ${list(n, (at) => `x${at}(\`rho:io:stdout\`)`)} in { Nil }`;
}
