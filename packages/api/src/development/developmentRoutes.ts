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
  cost: int64({ description: "Phlo." }),
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
  summary: "What this chain is: its accounts, clock and snapshots.",
  answer: {
    description: "Private keys are there only where the chain was started with `--serve-keys`.",
    schema: Type.Object({
      seed: Type.String(),
      accounts: Type.Array(
        Type.Object({ address: Type.String(), publicKey: hexBytes(65), privateKey: Type.Optional(hexBytes(32)) }),
      ),
      faucet: Type.String({ description: "Its address." }),
      nativeTokenSymbol: Type.Optional(Type.String({ description: "Of the newer dialect, as the next one." })),
      nativeTokenDecimals: Type.Optional(int32()),
      validator: hexBytes(65),
      blockHash: hexBytes(32),
      blockNumber: int64(),
      timeMs: int64({ description: "What its clock shows, in milliseconds since 1970." }),
      aheadMs: int64({ description: "By how much that is ahead of the machine's clock." }),
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
  summary: "Makes blocks, up to a number or up to a height.",
  body: {
    type: "application/json",
    schema: Type.Object({
      blocks: Type.Optional(Type.Integer({ minimum: 1, maximum: maxBlocks })),
      toHeight: Type.Optional(int64({ minimum: 0, description: "Of the newest block, afterwards." })),
    }),
  },
  answer: { description: "The newest block.", schema: blockFacts },
});

/** `POST /dev/time`: sets the clock. */
export const timeRoute = defineRoute({
  ...common,
  name: "devTime",
  method: "POST",
  paths: ["/dev/time"],
  summary: "Sets the chain's clock, or moves it forward.",
  body: {
    type: "application/json",
    schema: Type.Object({
      setMs: Type.Optional(int64({ minimum: 0, description: "Milliseconds since 1970." })),
      addMs: Type.Optional(int64({ minimum: 0 })),
    }),
  },
  answer: { description: "What it shows now.", schema: Type.Object({ timeMs: int64(), aheadMs: int64() }) },
});

/** `POST /dev/snapshot`. */
export const snapshotRoute = defineRoute({
  ...common,
  name: "devSnapshot",
  method: "POST",
  paths: ["/dev/snapshot"],
  summary: "Keeps the chain as it is now.",
  answer: { description: "Its number.", schema: Type.Object({ id: Type.Integer(), snapshots }) },
});

/** `POST /dev/revert`. */
export const revertRoute = defineRoute({
  ...common,
  name: "devRevert",
  method: "POST",
  paths: ["/dev/revert"],
  summary: "Sets the chain back to a snapshot; later snapshots go, event streams and open connections end.",
  body: { type: "application/json", schema: Type.Object({ id: Type.Integer({ minimum: 1 }) }) },
  answer: { description: "The newest block.", schema: blockFacts },
});

/** `POST /dev/faucet`. */
export const faucetRoute = defineRoute({
  ...common,
  name: "devFaucet",
  method: "POST",
  paths: ["/dev/faucet"],
  summary: "Gives coins to an address, and waits for the block.",
  body: {
    type: "application/json",
    schema: Type.Object({
      address: Type.String({ maxLength: 100 }),
      amount: Type.Optional(int64({ minimum: 1, maximum: largestAmount, description: "In the smallest unit." })),
    }),
  },
  answer: { description: "The transfer.", schema: placedDeploy },
});

/** `POST /dev/deploy`. */
export const unsignedDeployRoute = defineRoute({
  ...common,
  name: "devDeploy",
  method: "POST",
  paths: ["/dev/deploy"],
  summary: "Executes a deploy in the name of any key without its signature, and waits for the block.",
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String(),
      deployer: Type.String({ maxLength: 200, description: "Public key, 65 bytes in hex." }),
      phloLimit: Type.Optional(int64({ minimum: 1 })),
      phloPrice: Type.Optional(int64({ minimum: 0 })),
    }),
  },
  answer: { description: "The deploy.", schema: placedDeploy },
});
