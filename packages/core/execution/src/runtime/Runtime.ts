import { fromHex } from "@vedette/crypto";
import type { Block, Deploy } from "@vedette/protocol";
import {
  type BlockData,
  type Budget,
  type DeployData,
  type EvaluateResult,
  type EvaluationTrace,
  type ExternalServices,
  factsAtRest,
  type OutputSink,
  type Program,
} from "@vedette/rholang";
import { emptyBitSet, GByteArray, GPrivate, nil, Par } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionDialect, ProgramStart } from "../form/ExecutionDialect.js";
import { deploySeed } from "../systemDeploy/seeds.js";

/** The name that marks number channels: the second name that the NonNegativeNumber deploy draws. @spec 41 §5.3 */
export const mergeableTag = Par.of({
  unforgeables: [new GPrivate(fromHex("78a2588671230884044c801f5f9675defb420460d6895b809ee8cd6f6cfff5d3"))],
});

/** An invalid block that a block's creator could see. @spec 41 §1.2 */
export interface InvalidBlock {
  readonly blockHash: Uint8Array;
  readonly sender: Uint8Array;
}

/** A finished evaluation of one program. @spec 41 §2.4 */
export type Evaluated = Extract<EvaluateResult, { readonly kind: "evaluated" }>;

/** The parts that a runtime needs besides its space. */
export interface RuntimeOptions {
  /** Whether the space replays a log. */
  readonly replay: boolean;
  /** Left out: that of rnode. */
  readonly form: ExecutionDialect;
  readonly output?: OutputSink | undefined;
  readonly services?: ExternalServices | undefined;
  readonly budget?: Budget | undefined;
}

/** Observes the programs of users' deploys. */
export interface DeployTracing {
  readonly trace: EvaluationTrace;
  begin(): void;
  end(): void;
}

/**
 * An interpreter over one tuple space, with the facts that programs may query. One operation, one runtime.
 *
 * @spec 41 §1.1, §1.2
 */
export class Runtime<S extends Space = Space> {
  readonly space: S;
  readonly form: ExecutionDialect;
  /** Left out: nothing is observed. */
  deployTracing: DeployTracing | undefined;
  private readonly options: RuntimeOptions;
  private blockData: BlockData = factsAtRest.blockData;
  private deployData: DeployData = factsAtRest.deployData;
  private invalidBlocks: Par = nil;

  constructor(space: S, options: RuntimeOptions) {
    this.space = space;
    this.options = options;
    this.form = options.form;
    this.form.install(space);
  }

  /** Sets what `rho:block:data` and `rho:casper:invalidBlocks` answer. @spec 41 §1.2 */
  enterBlock(blockData: BlockData, invalidBlocks: readonly InvalidBlock[]): void {
    this.blockData = blockData;
    this.invalidBlocks = invalidBlocksMap(this.form, invalidBlocks);
  }

  /**
   * Evaluates a user's deploy; what a failed one left behind is for the caller to revert.
   *
   * Quirk 41 §1.2: `rho:deploy:data` keeps answering for this deploy until the next one.
   *
   * @throws {ExecutionError} `fatal`, `stopped`
   * @spec 41 §2.4
   */
  evaluateDeploy(deploy: Deploy): Evaluated {
    this.deployData = { timestamp: deploy.timestamp, deployer: deploy.deployer, deployId: deploy.signature };
    const start = this.form.start(deploySeed(deploy.deployer, deploy.timestamp));
    const program = { source: deploy.term, environment: this.form.deployEnvironment(deploy) };
    const tracing = this.deployTracing;
    tracing?.begin();
    try {
      return this.evaluate(program, deploy.phloLimit, start, tracing?.trace);
    } finally {
      tracing?.end();
    }
  }

  /** Runs something after which, where it throws, programs are answered as if it had not been. */
  keepingFacts<T>(run: () => T): T {
    const { deployData } = this;
    try {
      return run();
    } catch (error) {
      this.deployData = deployData;
      throw error;
    }
  }

  /** @throws {ExecutionError} `fatal`, `stopped` */
  evaluate(program: Program, phloLimit: bigint, start: ProgramStart, trace?: EvaluationTrace): Evaluated {
    const { replay, output, services, budget } = this.options;
    const result = start.evaluate({
      program,
      space: this.space,
      phloLimit,
      mergeableTag,
      replay,
      blockData: this.blockData,
      deployData: this.deployData,
      invalidBlocks: this.invalidBlocks,
      output,
      services,
      budget,
      trace,
    });
    switch (result.kind) {
      case "evaluated":
        return result;
      case "stopped":
        throw new ExecutionError({ code: "stopped", reason: result.reason });
      case "fatal":
        throw new ExecutionError({ code: "fatal", message: result.cause.message }, { cause: result.cause });
      case "broken":
        throw result.cause;
    }
  }
}

/** The data of a block that its programs can read. @spec 41 §1.2 */
export function blockDataOf(block: Block): BlockData {
  return {
    timestamp: block.header.timestamp,
    blockNumber: block.number,
    sender: block.sender,
    sequenceNumber: block.sequenceNumber,
  };
}

function invalidBlocksMap({ terms }: ExecutionDialect, invalidBlocks: readonly InvalidBlock[]): Par {
  const pairs = invalidBlocks.map(({ blockHash, sender }) => ({ key: byteArray(blockHash), value: byteArray(sender) }));
  return Par.of({ exprs: [terms.makeMap(pairs, emptyBitSet, false, undefined)] });
}

function byteArray(bytes: Uint8Array): Par {
  return Par.of({ exprs: [new GByteArray(bytes)] });
}
