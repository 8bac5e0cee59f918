import { blake2b256, registryUri, signHash, toHex } from "@vedette/crypto";
import { type DeployKey, signDeploy } from "@vedette/protocol";
import type { EvaluationTrace, OutputSink } from "@vedette/rholang";
import {
  ETuple,
  emptyBitSet,
  encodePar,
  GByteArray,
  GDeployerId,
  GDeployId,
  GInt,
  GPrivate,
  Par,
  sysAuthToken,
} from "@vedette/terms";
import { ExecutionError } from "../ExecutionError.js";
import { type NumberChannels, readNumberChannels } from "../numberChannels.js";
import { Runtime } from "../runtime/Runtime.js";
import { deploySeed } from "../systemDeploy/seeds.js";
import { type SpaceListener, TracedPlaySpace } from "../trace/TracedSpace.js";
import { tracingOf } from "../trace/tracingOf.js";
import { rnodeTrial } from "./ContractTestDialect.js";
import { type TestState, testAddress, testKey } from "./genesisState.js";

/** A program to run on a state, as a deploy or with what system deploys have. */
export interface ContractProgram {
  /** Rholang with macros, see contracts/README.md. */
  readonly source: string;
  /** A name for `testKey`. */
  readonly deployer: string;
  readonly timestamp: bigint;
  readonly blockNumber: bigint;
  readonly phloLimit: bigint;
  /** Whether the names of system deploys, `sys:casper:…`, are there too. */
  readonly isSystem: boolean;
}

/** The result of a program. */
export interface ProgramResult {
  /** The messages that were sent to the deploy's id, one element a message. */
  readonly messages: readonly (readonly Par[])[];
  /** The state afterwards; that before, if the program failed. */
  readonly state: TestState;
  readonly cost: bigint;
  /** Texts of the errors; a failure that no block survives begins with `fatal: `. */
  readonly errors: readonly string[];
  readonly numberChannels: NumberChannels;
}

/** The defaults of a program. */
export const ordinaryProgram: Omit<ContractProgram, "source"> = {
  deployer: "u1",
  timestamp: 1_700_000_000_000n,
  blockNumber: 1n,
  phloLimit: 100_000_000n,
  isSystem: false,
};

/** Observers of a program while it runs. */
export interface ProgramWatch {
  /** For what it prints. */
  readonly output?: OutputSink;
  /** Receives its steps; those of programs with the names of system deploys are not reported. */
  readonly tracer?: (EvaluationTrace & SpaceListener) | undefined;
}

/** Runs a program without a charge and commits what it did. */
export function runProgram(
  state: TestState,
  program: ContractProgram,
  { output, tracer }: ProgramWatch = {},
): ProgramResult {
  const { deployer, timestamp, blockNumber, phloLimit, isSystem } = program;
  const key = testKey(deployer);
  const { execution: form, programText } = state.trial ?? rnodeTrial;
  const space = new TracedPlaySpace(state.states, form.matchDatum, state.root, undefined, form.guardHolds);
  const runtime = new Runtime(space, { replay: false, form, output });
  if (tracer !== undefined) runtime.deployTracing = tracingOf(tracer, space);
  runtime.enterBlock({ timestamp, blockNumber, sender: testKey("v1").publicKey, sequenceNumber: 1 }, []);
  const term = programText(fillTestMacros(program));
  const phlo = { phloLimit, phloPrice: 1n };
  const deploy = signDeploy({ term, timestamp, ...phlo, validAfterBlockNumber: 0n, shardId: "root" }, key);
  const deployId = Par.of({ unforgeables: [new GDeployId(deploy.signature)] });
  try {
    const { errors, cost, mergeable } = isSystem
      ? evaluateSystem(runtime, program, term, deployId)
      : runtime.evaluateDeploy(deploy);
    const numberChannels = readNumberChannels(space, mergeable, runtime.form);
    const messages = errors.length > 0 ? [] : space.data(deployId).map((datum) => datum.a.pars);
    const root = errors.length > 0 ? state.root : space.checkpoint().root;
    const texts = errors.map((error) => error.referenceText());
    return { messages, state: { ...state, root }, cost, errors: texts, numberChannels };
  } catch (error) {
    if (!(error instanceof ExecutionError)) throw error;
    return { messages: [], state, cost: 0n, errors: [`fatal: ${error.message}`], numberChannels: new Map() };
  }
}

function evaluateSystem(runtime: Runtime, program: ContractProgram, source: string, deployId: Par) {
  const { publicKey } = testKey(program.deployer);
  const start = runtime.form.start(deploySeed(publicKey, program.timestamp));
  const deployerId = Par.of({ unforgeables: [new GDeployerId(publicKey)] });
  const environment = new Map([
    ["rho:rchain:deployId", deployId],
    ["rho:rchain:deployerId", deployerId],
    ["sys:casper:deployerId", deployerId],
    ["sys:casper:authToken", Par.of({ unforgeables: [sysAuthToken] })],
    ["sys:casper:return", Par.of({ unforgeables: [new GPrivate(start.takeReturnName())] })],
  ]);
  return runtime.evaluate({ source, environment }, program.phloLimit, start);
}

/**
 * Replaces `$$name argument …$$` in a program's text.
 *
 * @throws Error for an unknown macro
 */
export function fillTestMacros(program: ContractProgram): string {
  return program.source.replace(/\$\$([^$\n]+)\$\$/g, (whole, inner: string) => {
    const [name, ...args] = inner.trim().split(/\s+/);
    const value = macroValue(name!, args, program);
    if (value === undefined) throw new Error(`There is no macro ${whole}`);
    return value;
  });
}

function macroValue(name: string, args: readonly string[], program: ContractProgram): string | undefined {
  const person = args[0] ?? program.deployer;
  switch (name) {
    case "publicKey":
      return toHex(testKey(person).publicKey);
    case "address":
      return testAddress(person);
    case "registryUri":
      return registryUri(blake2b256(testKey(person).publicKey));
    case "timestamp":
      return `${program.timestamp}`;
    case "registrySignature": {
      const [, version = "1", deployer = program.deployer, timestamp = program.timestamp] = args;
      return toHex(registrySignature(testKey(person), BigInt(version), testKey(deployer), BigInt(timestamp)));
    }
    default:
      return undefined;
  }
}

/** A signature that lets its deployer register something under the signer's key. @spec 41 §6.1.4 */
function registrySignature(signer: DeployKey, version: bigint, deployer: DeployKey, timestamp: bigint): Uint8Array {
  const parts = [new GInt(timestamp), new GByteArray(deployer.publicKey), new GInt(version)];
  const tuple = new ETuple(
    parts.map((part) => Par.of({ exprs: [part] })),
    emptyBitSet,
    false,
  );
  return signHash("secp256k1", blake2b256(encodePar(Par.of({ exprs: [tuple] }))), signer.privateKey);
}
