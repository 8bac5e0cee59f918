import { findDeploySignatureAlgorithm, type SignatureRules, toHex } from "@vedette/crypto";
import { addressKey, isOwnMachine } from "@vedette/network";
import { checkDeploySignature, type Deploy } from "@vedette/protocol";
import { ApiError } from "../ApiError.js";
import type { StateReads } from "../state/StateReads.js";

/** Where deploys wait to be put into a block. */
export interface DeployPort {
  /** Shard, key and price. @returns why a deploy is refused, in the words of the API @spec 50 §1.9 (checks 6 to 8) */
  check(deploy: Deploy): string | undefined;
  /** Why no deploy is taken now, whatever it is like; left out: they are at any time. */
  whyNotNow?(): string | undefined;
  /**
   * Keeps a deploy, also one that it has already.
   *
   * @param origin the address that it came from; `undefined` where that does not distinguish senders
   * @returns why it does not, in the words of the API
   */
  submit(deploy: Deploy, origin: string | undefined): Promise<string | undefined>;
}

/** The reads for a deploy that arrives. */
export interface DeployReads {
  /** Absent on a node without a validator's key. */
  readonly port: DeployPort | undefined;
  /** Whether the node takes part in the network. */
  isRunning(): boolean;
  /** As in {@link StateReads}. @throws {ApiError} */
  checkTerm: StateReads["checkTerm"];
  /** The signature rules of the network. @spec 10 §1.2, 61 §1.1 */
  readonly signatureRules: SignatureRules;
  /** Left out: rnode's. @spec 50 §10.4 */
  readonly acceptedGap?: " " | "\n";
}

/** A deploy as it arrives: the algorithm may be anything. */
export type SubmittedDeploy = Omit<Deploy, "algorithm"> & { readonly algorithm: string };

/** The differences between the APIs: the wording of first refusals, and the client's address. @spec 50 §1.9, §3.4 */
export interface DeploySource {
  /** The client's address. */
  readonly client: string | undefined;
  readonly texts: SignatureTexts;
}

export interface SignatureTexts {
  readonly unknownAlgorithm: string;
  readonly invalidSignature: string;
}

/** Accepts deploys of users, or returns why not. @spec 50 §1.9, §3.4 */
export class DeployIntake {
  readonly #reads: DeployReads;

  constructor(reads: DeployReads) {
    this.#reads = reads;
  }

  /**
   * Checks a deploy in rnode's order and hands it on.
   *
   * @returns the text of success, with the deploy's id
   * @throws {ApiError} the first check that fails
   * @spec 50 §1.9 (checks 3 to 10)
   */
  async submit(submitted: SubmittedDeploy, { texts, client }: DeploySource): Promise<string> {
    const algorithm = findDeploySignatureAlgorithm(submitted.algorithm);
    if (algorithm === undefined) throw new ApiError(texts.unknownAlgorithm);
    const deploy: Deploy = { ...submitted, algorithm };
    if (!checkDeploySignature(deploy, this.#reads)) throw new ApiError(texts.invalidSignature);
    const { port } = this.#reads;
    if (port === undefined) throw refused("Deploy was rejected because node is running in read-only mode.");
    throwIfText(port.check(deploy));
    if (!this.#reads.isRunning())
      throw new ApiError("Error: Could not deploy, casper instance was not available yet.", { reason: "notRunning" });
    const wait = port.whyNotNow?.();
    if (wait !== undefined) throw new ApiError(`Error: Could not deploy, ${wait}.`, { reason: "notRunning" });
    const sender = senderAt(client);
    const fault = await this.faultOf(deploy.term, sender);
    if (fault !== undefined)
      throw new ApiError(`Parsing error: Error in parsing term: \n${fault}`, { reason: "unreadableTerm" });
    throwIfText(await port.submit(deploy, sender && addressKey(sender)));
    return `Success!${this.#reads.acceptedGap ?? " "}DeployId is: ${toHex(deploy.signature)}`;
  }

  /** Why a program cannot be compiled; `undefined` when it can. @throws {ApiError} */
  faultOf(term: string, sender?: string): Promise<string | undefined> {
    return this.#reads.checkTerm(term, sender);
  }
}

/** Returns the sender; none for addresses of this machine, behind which a proxy may serve many clients. */
function senderAt(client: string | undefined): string | undefined {
  return client === undefined || isOwnMachine(client) ? undefined : client;
}

function throwIfText(refusal: string | undefined): void {
  if (refusal !== undefined) throw refused(refusal);
}

function refused(text: string): ApiError {
  return new ApiError(text, { kind: "exception" });
}
