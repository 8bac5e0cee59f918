import type { Deploy, DeployKey } from "@vedette/protocol";
import { buildDeploy, type DeployRequest, validAfterLatest } from "../deploy/buildDeploy.js";
import { addressOfKey } from "../deploy/deployKey.js";
import { type DeploySigner, signDeployWith } from "../deploy/signDeployWith.js";
import { ClientError } from "../failure/ClientError.js";
import type { HttpClient } from "../http/HttpClient.js";
import { bondWithResultTerm, unbondWithResultTerm } from "../term/posTerms.js";
import type { NetworkDialect } from "../term/systemNames.js";
import { transferWithResultTerm } from "../term/vaultTerms.js";
import type { RholangTerm } from "../value/rholang.js";
import { balanceOf } from "./balanceOf.js";
import { ReportedDeploy, SentDeploy } from "./SentDeploy.js";

/** Accepts deploys: a validator, by HTTP or by gRPC. */
export interface DeployEndpoint {
  /** @returns the deploy's id, in hexadecimal digits */
  deploy(deploy: Deploy): Promise<string>;
}

/** The key of a wallet, and the nodes that it works with. */
export interface WalletOptions {
  readonly key: DeployKey | DeploySigner;
  /** A validator: an `HttpClient`, or the `NodeClient` of `@vedette/client/node`. */
  readonly validator: DeployEndpoint;
  /** Any node; for balances an observer, since validators explore nothing. */
  readonly read: HttpClient;
  /** That of the network unless given. */
  readonly shardId?: string;
  /** The network's least price unless given. */
  readonly phloPrice?: bigint;
  readonly phloLimit?: bigint;
  /** The dialect of the network. */
  readonly dialect: NetworkDialect;
}

/** The options of a deploy that may differ from the wallet's own. */
export type SendOptions = Partial<Omit<DeployRequest, "term">>;

/** A key and the nodes that it is used with. @spec 50 §8.5 */
export class Wallet {
  readonly address: string;
  readonly #options: WalletOptions;
  #lastTimestamp = 0n;

  constructor(options: WalletOptions) {
    this.#options = options;
    this.address = addressOfKey(options.key);
  }

  /** In the smallest unit. @throws {WalletError} */
  balance(): Promise<bigint> {
    return balanceOf(this.#options.read, this.address, this.#options.dialect);
  }

  /** Signs a program and hands it in. */
  send(term: string | RholangTerm, options: SendOptions = {}): Promise<SentDeploy> {
    return this.#send(SentDeploy, term, options);
  }

  /** Moves money to an address. @param amount in the smallest unit @throws {TermError} `badAddress`, `badAmount` */
  async transfer(to: string, amount: bigint, options: SendOptions = {}): Promise<ReportedDeploy> {
    return this.#send(ReportedDeploy, transferWithResultTerm(this.address, to, amount, this.#options.dialect), options);
  }

  /** Bonds the key as a validator. @param stake in the smallest unit @throws {TermError} `badAmount` */
  async bond(stake: bigint, options: SendOptions = {}): Promise<ReportedDeploy> {
    return this.#send(ReportedDeploy, bondWithResultTerm(stake, this.#options.dialect), options);
  }

  /** Takes the key out of the validators. */
  unbond(options: SendOptions = {}): Promise<ReportedDeploy> {
    return this.#send(ReportedDeploy, unbondWithResultTerm(this.#options.dialect), options);
  }

  async #send<Sent>(
    sent: new (deploy: Deploy, id: string, read: HttpClient) => Sent,
    term: string | RholangTerm,
    options: SendOptions,
  ): Promise<Sent> {
    const { key, validator, read } = this.#options;
    const request = { ...(await this.#request(options)), term };
    const deploy = "sign" in key ? await signDeployWith(request, key) : buildDeploy(request, key);
    return new sent(deploy, await validator.deploy(deploy), read);
  }

  async #request(options: SendOptions): Promise<SendOptions & Omit<DeployRequest, "term">> {
    const { read, phloLimit } = this.#options;
    const { shardId, minPhloPrice } = await read.apiStatus();
    return {
      shardId: this.#options.shardId ?? shardId,
      phloPrice: this.#options.phloPrice ?? minPhloPrice,
      phloLimit,
      ...options,
      timestamp: options.timestamp ?? this.#timestamp(),
      validAfterBlockNumber: options.validAfterBlockNumber ?? validAfterLatest(await latestNumber(read)),
    };
  }

  /** Two deploys of the same program and time would be one. */
  #timestamp(): bigint {
    const now = BigInt(Date.now());
    this.#lastTimestamp = now > this.#lastTimestamp ? now : this.#lastTimestamp + 1n;
    return this.#lastTimestamp;
  }
}

async function latestNumber(read: HttpClient): Promise<bigint> {
  const [block] = await read.newestBlocks();
  if (block !== undefined) return block.blockNumber;
  const messages = [`The node at ${read.connection.url} has no blocks yet; wait until it has joined its network`];
  throw new ClientError({ code: "refused", call: "newestBlocks", messages });
}
