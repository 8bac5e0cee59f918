import { toHex } from "@vedette/crypto";
import { GDeployerId, GInt, GPrivate, GString, New, Par, sysAuthToken } from "@vedette/terms";
import type { ExecutionDialect, ProgramStart } from "../form/ExecutionDialect.js";

/**
 * A system deploy that is ready to run.
 *
 * `start` has drawn the return channel already.
 *
 * @spec 41 §3.1
 */
export interface SystemDeployTerm {
  readonly name: "PreCharge" | "Refund" | "CloseBlock" | "Slash";
  readonly term: Par;
  readonly returnChannel: Par;
  readonly start: ProgramStart;
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
function callPos(declarations: string, call: string): (urn: string) => string {
  const extra = declarations === "" ? "" : `${declarations}, `;
  return (urn) => `
    new lookup(\`rho:registry:lookup\`), posCh, ${extra}token(\`sys:casper:authToken\`), return(\`sys:casper:return\`) in {
      lookup!(\`${urn}\`, *posCh) |
      for (@(_, pos) <- posCh) { @pos!(${call}, *token, *return) }
    }`;
}

/** Takes `amount` phlo-price units from the deployer before the deploy runs. @spec 41 §3.3 */
export function preChargeTerm(
  form: ExecutionDialect,
  deployer: Uint8Array,
  amount: bigint,
  start: ProgramStart,
): SystemDeployTerm {
  return build(form, "PreCharge", start, [
    ["sys:casper:deployerId", deployerId(deployer)],
    ["sys:casper:chargeAmount", integer(amount)],
  ]);
}

/** Gives back what a deploy did not use. @spec 41 §3.3 */
export function refundTerm(form: ExecutionDialect, amount: bigint, start: ProgramStart): SystemDeployTerm {
  return build(form, "Refund", start, [["sys:casper:refundAmount", integer(amount)]]);
}

/** Ends a block: distributes rewards and changes the epoch. @spec 41 §3.3 */
export function closeBlockTerm(form: ExecutionDialect, start: ProgramStart): SystemDeployTerm {
  return build(form, "CloseBlock", start, []);
}

/** Takes the stake of the sender of an invalid block. @spec 41 §3.3 */
export function slashTerm(
  form: ExecutionDialect,
  issuer: Uint8Array,
  invalidBlockHash: Uint8Array,
  start: ProgramStart,
): SystemDeployTerm {
  return build(form, "Slash", start, [
    ["sys:casper:deployerId", deployerId(issuer)],
    ["sys:casper:invalidBlockHash", Par.of({ exprs: [new GString(toHex(invalidBlockHash))] })],
  ]);
}

const sources = {
  PreCharge: preChargeSource,
  Refund: refundSource,
  CloseBlock: closeBlockSource,
  Slash: slashSource,
} as const;

const compiled = new WeakMap<ExecutionDialect, Map<SystemDeployTerm["name"], New>>();

function build(
  form: ExecutionDialect,
  name: SystemDeployTerm["name"],
  start: ProgramStart,
  values: readonly (readonly [string, Par])[],
): SystemDeployTerm {
  const returnChannel = Par.of({ unforgeables: [new GPrivate(start.takeReturnName())] });
  const environment = new Map<string, Par>([
    ...values,
    ["sys:casper:authToken", Par.of({ unforgeables: [sysAuthToken] })],
    ["sys:casper:return", returnChannel],
  ]);
  const outline = outlineOf(form, name, environment);
  // The values enter a term only as injections of its one `new`, so the text is compiled once.
  const injections = form.injectionsOf(environment);
  const term = new New(outline.bindCount, outline.p, outline.uri, injections, outline.locallyFree);
  return { name, term: Par.of({ news: [term], locallyFree: outline.locallyFree }), returnChannel, start };
}

function outlineOf(form: ExecutionDialect, name: SystemDeployTerm["name"], environment: ReadonlyMap<string, Par>): New {
  let outlines = compiled.get(form);
  if (outlines === undefined) {
    outlines = new Map();
    compiled.set(form, outlines);
  }
  let outline = outlines.get(name);
  if (outline === undefined) {
    outline = form.grammar.compile(sources[name](form.proofOfStakeUrn), environment).news[0]!;
    outlines.set(name, outline);
  }
  return outline;
}

function deployerId(publicKey: Uint8Array): Par {
  return Par.of({ unforgeables: [new GDeployerId(publicKey)] });
}

function integer(value: bigint): Par {
  return Par.of({ exprs: [new GInt(value)] });
}
