import {
  devRoute,
  faucetRoute,
  mineRoute,
  revertRoute,
  snapshotRoute,
  timeRoute,
  unsignedDeployRoute,
} from "@vedette/api/development";
import { fromHex, toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { Problem } from "@vedette/queries";
import { serve } from "@vedette/server";
import type { FastifyInstance } from "fastify";
import type { DevChain } from "./DevChain.js";
import { DevDeploys, type PlacedDeploy } from "./DevDeploys.js";
import { DevError } from "./DevError.js";
import { devDialects } from "./devDialects.js";

/** The default amount of the faucet, in the smallest unit. */
const usualGift = 100_000_000_000n;
const maxBlocks = 1_000n;

/** The routes for development, which no other mode has. */
export function devRoutes(server: FastifyInstance, chain: DevChain): void {
  const deploys = new DevDeploys(chain);
  serve(server, devRoute, () => ({ ...chainFacts(chain), ...blockFacts(chain.tip), ...timeFacts(chain) }));
  serve(server, mineRoute, ({ body }) =>
    withProblems(async () => blockFacts(await deploys.mine(blocksToMake(chain, body)))),
  );
  serve(server, timeRoute, ({ body }) => {
    setTime(chain, body);
    return timeFacts(chain);
  });
  serve(server, snapshotRoute, () =>
    withProblems(async () => ({ id: await chain.snapshot(), snapshots: [...chain.snapshots] })),
  );
  serve(server, revertRoute, ({ body }) =>
    withProblems(async () => {
      await chain.revert(body.id);
      return blockFacts(chain.tip);
    }),
  );
  serve(server, faucetRoute, ({ body: { address, amount = usualGift } }) =>
    withProblems(async () => placedFacts(await deploys.give(address, amount))),
  );
  serve(server, unsignedDeployRoute, ({ body: { deployer, ...terms } }) =>
    withProblems(async () => placedFacts(await deploys.sendAs(terms, publicKeyOf(deployer)))),
  );
}

/** Maps an error of the chain to the problem that the client receives. */
async function withProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DevError) throw new Problem(error.message, { cause: error });
    throw error;
  }
}

function chainFacts({ plan, snapshots }: DevChain) {
  const { users, faucet, validator } = plan.accounts;
  return {
    seed: plan.settings.seed,
    accounts: users.map(({ address, publicKey, privateKey }) => ({
      ...{ address, publicKey: toHex(publicKey) },
      ...(plan.settings.servesKeys && { privateKey: toHex(privateKey) }),
    })),
    faucet: faucet.address,
    ...devDialects[plan.settings.dialect].tokenFacts(plan.config),
    validator: toHex(validator.publicKey),
    snapshots: [...snapshots],
  };
}

function blockFacts({ hash, number }: Block) {
  return { blockHash: toHex(hash), blockNumber: number };
}

function timeFacts({ clock }: DevChain) {
  return { timeMs: BigInt(Math.floor(clock.nowMs())), aheadMs: BigInt(clock.offsetMs) };
}

function placedFacts({ block, processed }: PlacedDeploy) {
  const { deploy, cost, failed, systemDeployError } = processed;
  return {
    ...{ deployId: toHex(deploy.signature), ...blockFacts(block), cost, errored: failed },
    systemDeployError,
  };
}

/** @throws {Problem} that never repeats what may be a private key */
function publicKeyOf(text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, "");
  if (/^04[0-9a-f]{128}$/i.test(digits)) return fromHex(digits);
  const detail =
    digits.length === 64
      ? "deployer is as long as a private key; the public key is wanted: 130 hexadecimal digits that begin with 04."
      : `deployer is no public key: 130 hexadecimal digits that begin with 04 are wanted, these are ${digits.length} characters.`;
  throw new Problem(detail, { field: "body.deployer" });
}

function blocksToMake(chain: DevChain, asked: { blocks?: number; toHeight?: bigint }): number {
  const { blocks, toHeight } = asked;
  if (blocks !== undefined && toHeight !== undefined)
    throw new Problem("Give blocks or toHeight, not both.", { field: "body" });
  if (toHeight === undefined) return blocks ?? 1;
  const { number } = chain.tip;
  if (toHeight < number) {
    const detail = `The newest block is #${number} already: a block's number is one more than its parent's, so that heights only grow; revert to a snapshot instead.`;
    throw new Problem(detail, { field: "body.toHeight" });
  }
  if (toHeight - number > maxBlocks) {
    const detail = `#${toHeight} is ${toHeight - number} blocks away, and each of them is really made; request ${maxBlocks} at most.`;
    throw new Problem(detail, { field: "body.toHeight" });
  }
  return Number(toHeight - number);
}

function setTime(chain: DevChain, asked: { setMs?: bigint; addMs?: bigint }): void {
  const { setMs, addMs } = asked;
  if ((setMs === undefined) === (addMs === undefined))
    throw new Problem("Give setMs or addMs, one of them.", { field: "body" });
  const nowMs = chain.clock.nowMs();
  const wantedMs = setMs === undefined ? nowMs + Number(addMs) : Number(setMs);
  if (wantedMs > latestMs) throw new Problem(`The latest time is ${latestMs}.`, { field: "body" });
  const { timestamp } = chain.tip.header;
  if (wantedMs < Number(timestamp)) {
    const detail = `The newest block is of ${timestamp}: no block is before its parent, so that time only goes on; revert to a snapshot first.`;
    throw new Problem(detail, { field: "body.setMs" });
  }
  chain.clock.move(wantedMs - nowMs);
}

/** The year 9999. */
const latestMs = 253_370_764_800_000;
