import { transferWithResultTerm, unsignedDeploy } from "@vedette/client";
import { blake2b256, checkVaultAddress, concatBytes } from "@vedette/crypto";
import { type Block, type Deploy, encodeDeploy, type ProcessedDeploy, rnode, signDeploy } from "@vedette/protocol";
import type { DevChain } from "./DevChain.js";
import { DevError } from "./DevError.js";
import type { DevAccount } from "./devAccounts.js";

/** A deploy that is in a block. */
export interface PlacedDeploy {
  readonly block: Block;
  readonly processed: ProcessedDeploy;
}

/** The parts of a deploy that can be chosen. */
export interface DeployTerms {
  readonly term: string;
  readonly phloLimit?: bigint | undefined;
  readonly phloPrice?: bigint | undefined;
}

/** First bytes of the placeholder for the signature of an unsigned deploy. */
const unsignedMark = new TextEncoder().encode("vedette dev: not signed ");
/** Enough for whatever a block can hold, and far less than an account has. */
const usualPhloLimit = 50_000_000n;
const minerPhloLimit = 10_000n;
/** Beyond the time between two blocks. */
const patienceMs = 60_000;

/** Deploys that a chain for development makes by itself or takes without a signature. */
export class DevDeploys {
  readonly #chain: DevChain;
  #last = 0n;

  constructor(chain: DevChain) {
    this.#chain = chain;
  }

  /** Makes blocks, each with a deploy that does nothing where none waits. @returns the last one @throws {DevError} */
  async mine(count: number): Promise<Block> {
    for (let made = 0; made < count; made += 1)
      await this.send({ term: "Nil", phloLimit: minerPhloLimit }, this.#chain.plan.accounts.miner, "now");
    return this.#chain.tip;
  }

  /** Gives coins from the faucet's vault. @param address of a vault @throws {DevError} */
  async give(address: string, amount: bigint): Promise<PlacedDeploy> {
    const { accounts, settings } = this.#chain.plan;
    const { faucet } = accounts;
    const fault = checkVaultAddress(address);
    if (fault !== undefined) throw new DevError({ code: "refused", reason: `'${address}' is no address: ${fault}` });
    return this.send(
      { term: transferWithResultTerm(faucet.address, address, amount, settings.dialect) },
      faucet,
      "now",
    );
  }

  /** Signs a deploy, sends it, and waits for the block that has it. @throws {DevError} */
  async send(terms: DeployTerms, account: DevAccount, when: "now" | "next"): Promise<PlacedDeploy> {
    const deploy = signDeploy(this.#unsigned(terms), account);
    return this.#place(deploy, when, (one) => this.#chain.inside.proposing.submit(one));
  }

  /**
   * Has a deploy executed in the name of any key, and waits for the block that has it.
   *
   * @param deployer the public key
   * @throws {DevError}
   */
  async sendAs(terms: DeployTerms, deployer: Uint8Array): Promise<PlacedDeploy> {
    const fault = await this.#chain.inside.queries.deploys.faultOf(terms.term);
    if (fault !== undefined) throw new DevError({ code: "refused", reason: `Parsing error: ${fault}` });
    const draft = { ...this.#unsigned(terms), deployer, algorithm: "secp256k1", signature: new Uint8Array() } as const;
    const signature = concatBytes(unsignedMark, blake2b256(encodeDeploy(draft, rnode.blockForm)));
    return this.#place({ ...draft, signature }, "now", (deploy) => this.#chain.inside.proposing.submitUnsigned(deploy));
  }

  /** Each has another time, so that no two are the same. */
  #unsigned({ term, phloLimit = usualPhloLimit, phloPrice }: DeployTerms) {
    const { tip, clock, plan } = this.#chain;
    const now = BigInt(Math.floor(clock.nowMs()));
    this.#last = now > this.#last ? now : this.#last + 1n;
    return unsignedDeploy({
      ...{ term, phloLimit, timestamp: this.#last, validAfterBlockNumber: tip.number },
      phloPrice: phloPrice ?? plan.config["casper.min-phlo-price"],
      shardId: plan.config["casper.shard-name"],
    });
  }

  async #place(
    deploy: Deploy,
    when: "now" | "next",
    submit: (deploy: Deploy) => Promise<string | undefined>,
  ): Promise<PlacedDeploy> {
    const waiting = this.#waitFor(deploy);
    try {
      const refusal = await submit(deploy);
      if (refusal !== undefined) throw new DevError({ code: "refused", reason: refusal });
      const { queue } = this.#chain.inside.proposing;
      if (when === "now") queue.trigger();
      return await waiting.placed;
    } finally {
      waiting.end();
    }
  }

  #waitFor({ signature }: Deploy): { readonly placed: Promise<PlacedDeploy>; readonly end: () => void } {
    const key = Buffer.from(signature);
    let end = () => {};
    const placed = new Promise<PlacedDeploy>((resolve, reject) => {
      const { blockTimeMs = 0 } = this.#chain.plan.settings;
      const longestMs = patienceMs + blockTimeMs;
      const failed = async () => {
        const latest = await this.#chain.inside.proposing.queue.latestResult();
        const reason = latest?.kind === "notCreated" ? (latest.reason ?? latest.status) : "no block was made";
        reject(new DevError({ code: "noBlock", reason, seconds: longestMs / 1000 }));
      };
      const timer = setTimeout(() => void failed().catch(reject), longestMs);
      const stop = this.#chain.listen((event) => {
        if (event.type === "deployGivenUp" && key.equals(event.signature))
          reject(new DevError({ code: "refused", reason: `No block can hold the deploy: ${event.reason}` }));
        if (event.type !== "blockAdded") return;
        const processed = event.block.body.deploys.find((one) => key.equals(one.deploy.signature));
        if (processed !== undefined) resolve({ block: event.block, processed });
      });
      end = () => {
        clearTimeout(timer);
        stop();
      };
    });
    // No caller awaits it when the deploy is refused: a later rejection must not end the process.
    placed.catch(() => undefined);
    return { placed, end };
  }
}
