import * as Type from "typebox";
import { exampleChain } from "../exampleChain.js";
import { defineRoute, type RouteContract } from "../RouteContract.js";
import { rhoExpr } from "../rhoValues.js";
import { hexBytes, int64, orNull } from "../scalars.js";
import { answeredAt, blockHashQuery } from "./f1r3nodeValues.js";

const shared = {
  method: "GET",
  changes: "withChain",
  refusals: "kind",
} as const satisfies Partial<RouteContract>;
const ofState = { ...shared, query: blockHashQuery, otherStatuses: [404, 503] };
/** A program is run for it. */
const ofProgram = { ...ofState, otherStatuses: [404, 422, 503, 504], changes: "always" } as const;
const validators = "Validators";
const publicKey = Type.Object({
  publicKey: Type.String({ description: "Public key of a validator: 130 hex digits." }),
});

/** `GET /api/balance/{address}`. @spec 50 §10.5 */
export const balanceRoute = defineRoute({
  ...ofState,
  name: "balance",
  paths: ["/api/balance/{address}", "/balance/{address}"],
  group: "Accounts",
  summary: "Returns the balance of a vault.",
  description: "`/v2/balances` returns the balances of many vaults.",
  params: Type.Object({ address: Type.String({ description: "Address of a vault." }) }),
  answer: {
    description: "Balance in the smallest unit; 0 for an unused vault.",
    schema: Type.Object({ address: Type.String(), balance: int64(), ...answeredAt }),
  },
  examples: [{ name: "a vault", params: { address: "1111AtahZeefej4tvVR6ti9TJtv8yxLebT31SCEVDCKMNikBk5r3g" } }],
});

/** `GET /api/registry/{uri}`. @spec 50 §10.5 */
export const registryRoute = defineRoute({
  ...ofProgram,
  name: "registry",
  paths: ["/api/registry/{uri}", "/registry/{uri}"],
  group: "State",
  summary: "Returns the value registered at a URI.",
  description: "Validators refuse this request.",
  params: Type.Object({ uri: Type.String({ description: "URI: `rho:id:…`, or the URI of a system process." }) }),
  answer: {
    description: "Registered value; empty if there is none, or if JSON cannot represent it.",
    schema: Type.Object({ uri: Type.String(), data: Type.Array(rhoExpr), ...answeredAt }),
  },
  examples: [{ name: "proof of stake", params: { uri: "rho:system:pos" } }],
});

/** `GET /api/validators`. @spec 50 §10.5 */
export const validatorsRoute = defineRoute({
  ...ofState,
  name: "validators",
  paths: ["/api/validators", "/validators"],
  group: validators,
  summary: "Returns the validators and their stakes.",
  answer: {
    description: "Bonds in the state of a block.",
    schema: Type.Object({
      validators: Type.Array(Type.Object({ publicKey: hexBytes(), stake: int64() })),
      totalStake: int64(),
      ...answeredAt,
    }),
  },
  examples: [{ name: "now" }],
});

/** `GET /api/validator/{publicKey}`. @spec 50 §10.5 */
export const validatorRoute = defineRoute({
  ...ofState,
  name: "validator",
  paths: ["/api/validator/{publicKey}", "/validator/{publicKey}"],
  group: validators,
  summary: "Returns the stake of a validator.",
  params: publicKey,
  answer: {
    description: "Bond of the key in the state of a block.",
    schema: Type.Object({
      publicKey: Type.String(),
      isBonded: Type.Boolean(),
      stake: orNull(int64({ description: "Stake in the smallest unit; null if the key is not bonded." })),
      ...answeredAt,
    }),
  },
  examples: [{ name: "a key", params: { publicKey: exampleChain.publicKey } }],
});

/** `GET /api/bond-status/{publicKey}`. @spec 50 §10.5 */
export const bondStatusRoute = defineRoute({
  ...shared,
  name: "bondStatus",
  paths: ["/api/bond-status/{publicKey}", "/bond-status/{publicKey}"],
  otherStatuses: [503],
  group: validators,
  summary: "Returns whether a key has a stake in the last finalized state.",
  params: publicKey,
  answer: {
    description: "Whether the key is bonded.",
    schema: Type.Object({ publicKey: Type.String(), isBonded: Type.Boolean() }),
  },
  examples: [{ name: "a key", params: { publicKey: exampleChain.publicKey } }],
});

/** `GET /api/epoch`. @spec 50 §10.5 */
export const epochRoute = defineRoute({
  ...ofState,
  name: "epoch",
  paths: ["/api/epoch", "/epoch"],
  group: validators,
  summary: "Returns the current epoch and the length of epochs.",
  description: "The lengths come from the configuration of the node.",
  answer: {
    description: "Epoch of a block; all lengths are numbers of blocks.",
    schema: Type.Object({
      currentEpoch: int64({ description: "Block number divided by the epoch length." }),
      epochLength: int64(),
      quarantineLength: int64({ description: "Number of blocks that a withdrawn stake stays locked." }),
      blocksUntilNextEpoch: int64(),
      lastFinalizedBlockNumber: int64({ description: "Number of the requested block." }),
      blockHash: hexBytes(32),
    }),
  },
  examples: [{ name: "now" }],
});

/** `GET /api/epoch/rewards`. @spec 50 §10.5 */
export const epochRewardsRoute = defineRoute({
  ...ofProgram,
  name: "epochRewards",
  paths: ["/api/epoch/rewards", "/epoch/rewards"],
  group: validators,
  summary: "Returns the rewards of the validators in the current epoch.",
  description: "Validators refuse this request.",
  answer: {
    description: "Map from public keys to amounts in the smallest unit.",
    schema: Type.Object({ rewards: rhoExpr, ...answeredAt }),
  },
  examples: [{ name: "now" }],
});
