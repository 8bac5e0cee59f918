/** A deploy that an honest user handed in. */
export interface HonestDeploy {
  readonly id: string;
  /** The height of the chain when the deploy was accepted. */
  readonly height: number;
}

/** A GET that an honest user sends steadily. */
export interface HonestQuestion {
  readonly path: string;
  /** The text in a right answer. */
  readonly answer: string;
}

/** A running program, as its honest users see it while it is attacked. */
export interface AttackedProgram {
  /** The main process; its children count as parts of it. */
  readonly pid: number;
  /** Port of the HTTP server that answers its honest users. */
  readonly statusPort: number;
  /** Their request; default: `GET /status`. */
  readonly question?: HonestQuestion;
  readonly isRunning: boolean;
  /** Submits a deploy of a user who has nothing to do with the attack. */
  sendDeploy(): Promise<HonestDeploy>;
  /** Returns the height of the block with a deploy, or `undefined` while there is none. */
  heightOf(deploy: HonestDeploy): Promise<number | undefined>;
}

/** One way to harm a program from outside. */
export interface Attack<Target extends AttackedProgram = AttackedProgram> {
  /** As in the table of `docs/explanation/security.md`. */
  readonly name: string;
  /**
   * Attacks until there is enough.
   *
   * @returns the attacker's gains that no stranger may have; none if the program withstands
   */
  run(target: Target, enough: AbortSignal): Promise<readonly string[]>;
}
