import * as Type from "typebox";
import { defineRoute } from "../http/RouteContract.js";
import { hexBytes, int32, int64 } from "../http/scalars.js";

const group = "Development";
const common = { group, changes: "always", refusals: "problem", examples: [] } as const;

/** Most blocks that one request has made. */
const maxBlocks = 1_000;
const largestAmount = 10 ** 18;

const blockFacts = Type.Object({ blockHash: hexBytes(32), blockNumber: int64() });
const placedDeploy = Type.Object({
  deployId: hexBytes(),
  blockHash: hexBytes(32),
  blockNumber: int64(),
  cost: int64({ description: "Cost in phlo." }),
  errored: Type.Boolean(),
  systemDeployError: Type.String(),
});
const snapshots = Type.Array(Type.Integer());

/** `GET /dev`: what this chain is. */
export const devRoute = defineRoute({
  ...common,
  name: "dev",
  method: "GET",
  paths: ["/dev"],
  summary: "Returns the accounts, clock and snapshots of this chain.",
  answer: {
    description: "Facts about the chain. Private keys are included only with `vedette dev --serve-keys`.",
    schema: Type.Object({
      seed: Type.String(),
      accounts: Type.Array(
        Type.Object({ address: Type.String(), publicKey: hexBytes(65), privateKey: Type.Optional(hexBytes(32)) }),
      ),
      faucet: Type.String({ description: "Address of the faucet." }),
      nativeTokenSymbol: Type.Optional(
        Type.String({
          description: "Symbol of the native token. This and `nativeTokenDecimals` exist only on f1r3node networks.",
        }),
      ),
      nativeTokenDecimals: Type.Optional(int32()),
      validator: hexBytes(65),
      blockHash: hexBytes(32),
      blockNumber: int64(),
      timeMs: int64({ description: "Time of the chain's clock, as Unix time in milliseconds." }),
      aheadMs: int64({ description: "Milliseconds that the chain's clock is ahead of the machine's clock." }),
      snapshots,
    }),
  },
});

/** `POST /dev/mine`: blocks, also where no deploy waits. */
export const mineRoute = defineRoute({
  ...common,
  name: "devMine",
  method: "POST",
  paths: ["/dev/mine"],
  summary: "Creates a number of blocks, or blocks up to a height.",
  body: {
    type: "application/json",
    schema: Type.Object({
      blocks: Type.Optional(Type.Integer({ minimum: 1, maximum: maxBlocks })),
      toHeight: Type.Optional(int64({ minimum: 0, description: "Height of the newest block afterwards." })),
    }),
  },
  answer: { description: "Newest block.", schema: blockFacts },
});

/** `POST /dev/time`: sets the clock. */
export const timeRoute = defineRoute({
  ...common,
  name: "devTime",
  method: "POST",
  paths: ["/dev/time"],
  summary: "Sets the chain's clock or moves it forward, and returns the time.",
  body: {
    type: "application/json",
    schema: Type.Object({
      setMs: Type.Optional(int64({ minimum: 0, description: "Unix time in milliseconds." })),
      addMs: Type.Optional(int64({ minimum: 0 })),
    }),
  },
  answer: {
    description: "Time of the chain's clock, in milliseconds.",
    schema: Type.Object({ timeMs: int64(), aheadMs: int64() }),
  },
});

/** `POST /dev/snapshot`. */
export const snapshotRoute = defineRoute({
  ...common,
  name: "devSnapshot",
  method: "POST",
  paths: ["/dev/snapshot"],
  summary: "Saves a snapshot of the chain and returns its number.",
  answer: {
    description: "Number of the new snapshot, and all snapshots.",
    schema: Type.Object({ id: Type.Integer(), snapshots }),
  },
});

/** `POST /dev/revert`. */
export const revertRoute = defineRoute({
  ...common,
  name: "devRevert",
  method: "POST",
  paths: ["/dev/revert"],
  summary: "Resets the chain to a snapshot. Deletes later snapshots and closes event streams and open connections.",
  body: { type: "application/json", schema: Type.Object({ id: Type.Integer({ minimum: 1 }) }) },
  answer: { description: "Newest block.", schema: blockFacts },
});

/** `POST /dev/faucet`. */
export const faucetRoute = defineRoute({
  ...common,
  name: "devFaucet",
  method: "POST",
  paths: ["/dev/faucet"],
  summary: "Transfers tokens to an address and waits for the block.",
  body: {
    type: "application/json",
    schema: Type.Object({
      address: Type.String({ maxLength: 100 }),
      amount: Type.Optional(int64({ minimum: 1, maximum: largestAmount, description: "Amount in the smallest unit." })),
    }),
  },
  answer: { description: "Deploy of the transfer.", schema: placedDeploy },
});

/** `POST /dev/deploy`. */
export const unsignedDeployRoute = defineRoute({
  ...common,
  name: "devDeploy",
  method: "POST",
  paths: ["/dev/deploy"],
  summary: "Executes a deploy of any public key without a signature, and waits for the block.",
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String(),
      deployer: Type.String({ maxLength: 200, description: "Public key of the deployer: 65 bytes in hex." }),
      phloLimit: Type.Optional(int64({ minimum: 1 })),
      phloPrice: Type.Optional(int64({ minimum: 0 })),
    }),
  },
  answer: { description: "Deploy and its block.", schema: placedDeploy },
});
