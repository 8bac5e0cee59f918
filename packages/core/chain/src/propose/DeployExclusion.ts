/** Why a deploy cannot be in a block. */
export interface DeployExclusion {
  readonly reason: string;
  /** It held up others: it took all the time or memory that it was given, or blocks with it were not valid. */
  readonly isCostly: boolean;
  /** The machine was too busy to execute it: that is no fault of the deploy. */
  readonly isOfMachine?: boolean;
}
