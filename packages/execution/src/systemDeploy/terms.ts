import type { SplittableRandom } from "@vedette/crypto";
import { toHex } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import { GDeployerId, GInt, GPrivate, GString, New, Par, sysAuthToken } from "@vedette/terms";

/**
 * A system deploy that is ready to run.
 *
 * `random` has already drawn the return channel; it goes on with the second half of that hash block.
 *
 * @spec 41 §3.1
 */
export interface SystemDeployTerm {
  readonly name: "PreCharge" | "Refund" | "CloseBlock" | "Slash";
  readonly term: Par;
  readonly returnChannel: Par;
  readonly random: SplittableRandom;
}

const preChargeSource = callPos(
  "initialDeployerId(`sys:casper:deployerId`), chargeAmount(`sys:casper:chargeAmount`)",
  '"chargeDeploy", *initialDeployerId, *chargeAmount',
);
const refundSource = callPos("refundAmount(`sys:casper:refundAmount`)", '"refundDeploy", *refundAmount');
const closeBlockSource = callPos("", '"closeBlock"');
const slashSource = callPos(
  "deployerId(`sys:casper:deployerId`), invalidBlockHash(`sys:casper:invalidBlockHash`)",
  '"slash", *deployerId, *invalidBlockHash.hexToBytes()',
);

/** Looks the proof-of-stake contract up and calls one of its guarded methods. @spec 41 §3.3 */
function callPos(declarations: string, call: string): string {
  const extra = declarations === "" ? "" : `${declarations}, `;
  return `
    new lookup(\`rho:registry:lookup\`), posCh, ${extra}token(\`sys:casper:authToken\`), return(\`sys:casper:return\`) in {
      lookup!(\`rho:rchain:pos\`, *posCh) |
      for (@(_, pos) <- posCh) { @pos!(${call}, *token, *return) }
    }`;
}

/** Takes `amount` phlo-price units from the deployer before the deploy runs. @spec 41 §3.3 */
export function preChargeTerm(deployer: Uint8Array, amount: bigint, random: SplittableRandom): SystemDeployTerm {
  return build("PreCharge", preChargeSource, random, [
    ["sys:casper:deployerId", deployerId(deployer)],
    ["sys:casper:chargeAmount", integer(amount)],
  ]);
}

/** Gives back what a deploy did not use. @spec 41 §3.3 */
export function refundTerm(amount: bigint, random: SplittableRandom): SystemDeployTerm {
  return build("Refund", refundSource, random, [["sys:casper:refundAmount", integer(amount)]]);
}

/** Ends a block: distributes rewards and changes the epoch. @spec 41 §3.3 */
export function closeBlockTerm(random: SplittableRandom): SystemDeployTerm {
  return build("CloseBlock", closeBlockSource, random, []);
}

/** Takes the stake of the sender of an invalid block. @spec 41 §3.3 */
export function slashTerm(
  issuer: Uint8Array,
  invalidBlockHash: Uint8Array,
  random: SplittableRandom,
): SystemDeployTerm {
  return build("Slash", slashSource, random, [
    ["sys:casper:deployerId", deployerId(issuer)],
    ["sys:casper:invalidBlockHash", Par.of({ exprs: [new GString(toHex(invalidBlockHash))] })],
  ]);
}

const compiled = new Map<string, New>();

function build(
  name: SystemDeployTerm["name"],
  source: string,
  random: SplittableRandom,
  values: readonly (readonly [string, Par])[],
): SystemDeployTerm {
  const returnChannel = Par.of({ unforgeables: [new GPrivate(random.next())] });
  const environment = new Map<string, Par>([
    ...values,
    ["sys:casper:authToken", Par.of({ unforgeables: [sysAuthToken] })],
    ["sys:casper:return", returnChannel],
  ]);
  let outline = compiled.get(source);
  if (outline === undefined) {
    outline = compile(source, environment).news[0]!;
    compiled.set(source, outline);
  }
  // The values enter a term only as injections of its one `new`, so the text is compiled once.
  const term = new New(outline.bindCount, outline.p, outline.uri, environment, outline.locallyFree);
  return { name, term: Par.of({ news: [term] }), returnChannel, random };
}

function deployerId(publicKey: Uint8Array): Par {
  return Par.of({ unforgeables: [new GDeployerId(publicKey)] });
}

function integer(value: bigint): Par {
  return Par.of({ exprs: [new GInt(value)] });
}
