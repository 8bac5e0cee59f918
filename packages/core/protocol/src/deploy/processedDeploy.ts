import type { Event } from "../event/Event.js";
import type { Deploy } from "./Deploy.js";

/** A deploy with what came of it. @spec 40 §1.1, 41 */
export interface ProcessedDeploy {
  readonly deploy: Deploy;
  /** Phlo; unsigned on the wire, signed here as in rnode. */
  readonly cost: bigint;
  readonly log: readonly Event[];
  readonly failed: boolean;
  /** Why pre-charge or refund failed; empty when they did not. */
  readonly systemDeployError: string;
}

/** A deploy of the protocol itself; `empty` is what an unsuccessful one leaves in the block. @spec 40 §1.1 */
export type SystemDeploy = SlashDeploy | { readonly kind: "closeBlock" } | { readonly kind: "empty" };

/** Takes the stake of an invalid block's creator. @spec 40 §1.1 (SlashSystemDeployDataProto) */
export interface SlashDeploy {
  readonly kind: "slash";
  readonly invalidBlockHash: Uint8Array;
  readonly issuerPublicKey: Uint8Array;
  /** The epoch that the slash is for. Of f1r3node. @spec 61 §1.2, §15 */
  readonly targetActivationEpoch?: bigint;
}

/** A system deploy with what came of it; it failed iff `error` is not empty. @spec 40 §1.1 */
export interface ProcessedSystemDeploy {
  readonly systemDeploy: SystemDeploy;
  readonly log: readonly Event[];
  readonly error: string;
}
