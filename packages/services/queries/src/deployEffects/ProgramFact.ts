import type { DeployFact } from "@vedette/api";

/** A request of a program, as its text alone shows it: {@link DeployFact} without how far it came. */
export type ProgramFact =
  | {
      readonly type: "transfer";
      readonly from: string | null;
      readonly to: string | null;
      readonly amount: bigint | null;
    }
  | { readonly type: "bond"; readonly amount: bigint | null }
  | { readonly type: "withdraw" }
  | { readonly type: "publish"; readonly uri: string | null; readonly channel: string | null }
  | {
      readonly type: "call";
      readonly uri: string | null;
      readonly channel: string | null;
      readonly method: string | null;
    }
  | Extract<DeployFact, { type: "other" }>;
