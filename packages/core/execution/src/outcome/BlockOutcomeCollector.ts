import type { InterpreterError, OutputSink } from "@vedette/rholang";
import type { TermCodec } from "@vedette/terms";
import type { DeployNote } from "../note/DeployNote.js";
import { DeployNoteCollector } from "../note/DeployNoteCollector.js";
import type { DeployTransferGroups } from "../report/Transfer.js";
import type { ExecutionOutcome } from "./outcomeRecord.js";

/** A space that notes what moves between vaults. */
export interface TransferRecorder {
  /** Returns the transfers since the last call: a list for each part of a deploy. */
  takeTransfers(): DeployTransferGroups;
}

/** Collects the transfers and notes of the deploys of one block while they are executed. @spec 41 §8.3, §8.4 */
export class BlockOutcomeCollector {
  readonly #space: TransferRecorder;
  readonly #notes: DeployNoteCollector;
  readonly #said: DeployNote[] = [];
  readonly #deploys: DeployTransferGroups[] = [];
  readonly #systemDeploys: DeployTransferGroups[] = [];

  /** @param terms of the network */
  constructor(space: TransferRecorder, terms: TermCodec) {
    this.#space = space;
    this.#notes = new DeployNoteCollector(terms);
  }

  /** Takes what programs write. */
  get output(): OutputSink {
    return this.#notes.output;
  }

  /** A user's deploy has come to its end. @param errors why its program failed; none where it did not */
  deploy(errors: readonly InterpreterError[]): void {
    this.#deploys.push(this.#space.takeTransfers());
    this.#said.push(this.#notes.take(errors));
  }

  systemDeploy(): void {
    this.#systemDeploys.push(this.#space.takeTransfers());
  }

  /** Drops the collected data since the last deploy: it was undone, and is in no block. */
  leftOut(): void {
    this.#space.takeTransfers();
    this.#notes.drop();
  }

  get outcome(): ExecutionOutcome {
    return { transfers: { deploys: this.#deploys, systemDeploys: this.#systemDeploys }, notes: this.#said };
  }
}
