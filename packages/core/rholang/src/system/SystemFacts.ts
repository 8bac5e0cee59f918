import { nil, type Par } from "@vedette/terms";

/** The values that `rho:block:data` returns. @spec 21 §7.3 */
export interface BlockData {
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly blockNumber: bigint;
  /** Public key; empty while genesis is computed. */
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
}

/** The values that `rho:deploy:data` returns. @spec 21 §7.3 */
export interface DeployData {
  /** Milliseconds. */
  readonly timestamp: bigint;
  /** Public key. */
  readonly deployer: Uint8Array;
  /** The deploy's signature. */
  readonly deployId: Uint8Array;
}

/** Which stream of the node a program wrote to. */
export type OutputStream = "stdout" | "stderr";

/**
 * Where output of programs goes.
 *
 * The term itself is passed on: a sink that ignores the text does not pay for printing it.
 */
export type OutputSink = (stream: OutputStream, term: Par) => void;

/** The world as built-in processes see it. @spec 21 §7.3 */
export interface SystemFacts {
  readonly blockData: BlockData;
  readonly deployData: DeployData;
  /** Block hash → validator; Nil when it was never set. */
  readonly invalidBlocks: Par;
  readonly output: OutputSink | undefined;
}

/** The values at rest, before a block is computed. @spec 21 §7.3 */
export const factsAtRest: SystemFacts = {
  blockData: { timestamp: 0n, blockNumber: 0n, sender: new Uint8Array(1), sequenceNumber: 0 },
  deployData: { timestamp: 0n, deployer: new Uint8Array(1), deployId: new Uint8Array(1) },
  invalidBlocks: nil,
  output: undefined,
};

/** The reply of a built-in process on the name that it was given. @spec 21 §7.2 */
export interface SystemReply {
  /** As it was received: a bundle is not taken off. */
  readonly ack: Par;
  readonly values: readonly Par[];
}

/** A deterministic built-in process: its data, and what it replies, if anything. @spec 21 §7.3 */
export type SystemProcess = (args: readonly Par[], facts: SystemFacts) => SystemReply | undefined;
