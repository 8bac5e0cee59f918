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
const publicKey = Type.Object({ publicKey: Type.String({ description: "Of a validator, 130 hex digits." }) });

/** `GET /api/balance/{address}`. @spec 50 §10.5 */
export const balanceRoute = defineRoute({
  ...ofState,
  name: "balance",
  paths: ["/api/balance/{address}", "/balance/{address}"],
  group: "Accounts",
  summary: "What a vault holds.",
  description: "`/v2/balances` tells those of many at once.",
  params: Type.Object({ address: Type.String({ description: "Of a vault." }) }),
  answer: {
    description: "The balance in the smallest unit; 0 for a vault that nobody has used.",
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
  summary: "What is registered at a URI.",
  description: "Only nodes that are no validators do it.",
  params: Type.Object({ uri: Type.String({ description: "`rho:id:…`, or a name of the system's." }) }),
  answer: {
    description: "What is registered; nothing where nothing is, or nothing that JSON can tell.",
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
  summary: "Who has a stake, and how much.",
  answer: {
    description: "The bonds of a state.",
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
  summary: "Whether a key has a stake, and how much.",
  params: publicKey,
  answer: {
    description: "Its bond in a state.",
    schema: Type.Object({
      publicKey: Type.String(),
      isBonded: Type.Boolean(),
      stake: orNull(int64({ description: "null where it is not bonded." })),
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
  summary: "Whether a key has a stake in the last finalized state.",
  params: publicKey,
  answer: {
    description: "Whether it is bonded.",
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
  summary: "Which epoch it is, and how long epochs are.",
  description: "By the node's configuration.",
  answer: {
    description: "The epoch of a block; lengths in blocks.",
    schema: Type.Object({
      currentEpoch: int64({ description: "The block's number divided by the length." }),
      epochLength: int64(),
      quarantineLength: int64({ description: "How long a stake is kept back that is withdrawn." }),
      blocksUntilNextEpoch: int64(),
      lastFinalizedBlockNumber: int64({ description: "Number of the block that was asked about." }),
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
  summary: "What validators have earned in this epoch.",
  description: "Only nodes that are no validators do it.",
  answer: {
    description: "A map of public keys to amounts.",
    schema: Type.Object({ rewards: rhoExpr, ...answeredAt }),
  },
  examples: [{ name: "now" }],
});
