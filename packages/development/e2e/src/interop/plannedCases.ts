import type { DescMethod, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { DeployService, Health, Lsp, Repl, ServerReflection, ServerReflectionV1 } from "@vedette/api/grpc";
import { fromHex } from "@vedette/crypto";
import { areAllCasesTried } from "@vedette/testing";
import type { ClientCase } from "./ClientRun.js";
import { type ServedChain, tailBlocks, validatorKey } from "./ServedNodes.js";

/** How calls are to end: all with what the node serves, element by element, or all with a status. */
export type Expected = "asServed" | { readonly status: number; readonly atLeast?: number };

/** A case as it is written here. */
export interface PlannedCase {
  readonly group: (typeof groups)[number];
  readonly name: string;
  readonly method: DescMethod;
  readonly message: MessageInitShape<DescMethod["input"]>;
  readonly change: Partial<ClientCase>;
  readonly expected: Expected;
  /** Whether the request goes to the operator's port. */
  readonly isInternal: boolean;
  /** Whether the answer comes while much of the request still waits in the client. */
  readonly isEarly: boolean;
}

/** gRPC's numbers. */
export const status = { ok: 0, cancelled: 1, deadlineExceeded: 4, notFound: 5, resourceExhausted: 8 } as const;

/** The largest request that the node takes, in bytes. */
const maxRequestBytes = 16_777_216;
/** The default limit of libraries. */
const usualAnswerBytes = 4_194_304;
const unlimited = { receiveLimit: 64_000_000 } as const;
const depth = tailBlocks - 200;
const endless = "new loop in { contract loop(@n) = { loop!(n + 1) } | loop!(0) }";
const deploys = DeployService.method;
const unknown = "00".repeat(32);

/** In the order in which clients go through them. */
export const groups = [
  "methods",
  "streams",
  "large messages",
  "deadlines and cancels",
  "health and reflection",
] as const;

/** All cases that read. */
export function plannedCases(chain: ServedChain): readonly PlannedCase[] {
  return [...methodCases(chain), ...streamCases(), ...largeCases(chain), ...brokenCases(), ...toolCases()];
}

function methodCases({ deploys: made, blocks }: ServedChain): readonly PlannedCase[] {
  const group = "methods" as const;
  const name = { exprs: [{ exprInstance: { case: "gString" as const, value: "greeting" } }] };
  const waiting = { exprs: [{ exprInstance: { case: "gString" as const, value: "waiting" } }] };
  const one = <M extends DescMethod>(method: M, message: MessageInitShape<M["input"]>, title = "") =>
    planned({ group, method, message, name: `${method.name}${title}` });
  return [
    one(deploys.status, {}),
    one(deploys.getBlock, { hash: blocks.greeting }),
    one(deploys.getBlock, { hash: unknown }, ", of a block that is not there"),
    one(deploys.lastFinalizedBlock, {}),
    one(deploys.isFinalized, { hash: blocks.greeting }),
    one(deploys.findDeploy, { deployId: fromHex(made.greeting) }),
    one(deploys.findDeploy, { deployId: fromHex(unknown) }, ", of a deploy that is not there"),
    one(deploys.bondStatus, { publicKey: validatorKey }),
    one(deploys.previewPrivateNames, { user: validatorKey, timestamp: 1n, nameQty: 3 }),
    one(deploys.getDataAtName, { par: name, blockHash: blocks.greeting }),
    one(deploys.listenForDataAtName, { name, depth: 1 }),
    one(deploys.listenForContinuationAtName, { names: [waiting], depth: 1 }),
    one(deploys.exploratoryDeploy, {
      term: "new return in { return!((1, [true, 0x0aff])) }",
      blockHash: blocks.greeting,
    }),
    one(deploys.exploratoryDeploy, { term: "new return in {" }, ", of what is no program"),
    one(deploys.getEventByHash, { hash: blocks.greeting }),
    one(deploys.doDeploy, { term: "Nil" }, ", to a node that takes none"),
    one(deploys.machineVerifiableDag, {}),
    { ...one(Repl.method.eval, { program: "new stdout(`rho:io:stdout`) in { stdout!(1) }" }), isInternal: true },
    { ...one(Lsp.method.validate, { text: "new x in { x!(" }), isInternal: true },
    { ...one(deploys.status, {}, ", of the internal port"), isInternal: true },
    { ...one(deploys.status, {}, ", 16 at once"), change: { times: 160, atOnce: 16 } },
  ];
}

/** Usual runs have a fifth of the streams, a quarter of them at once; clients make them in whole rounds. */
function fewer(most: number, together: number): readonly [times: number, atOnce: number] {
  const atOnce = Math.ceil(together / 4);
  return [Math.ceil(most / 5 / atOnce) * atOnce, atOnce];
}

function streamCases(): readonly PlannedCase[] {
  const group = "streams" as const;
  const one = <M extends DescMethod>(
    [most, together]: readonly [number, number],
    method: M,
    message: MessageInitShape<M["input"]>,
  ) => {
    const [times, atOnce] = areAllCasesTried() ? [most, together] : fewer(most, together);
    return planned({
      ...{ group, method, message },
      name: `${method.name} ${JSON.stringify(message, shown)}, ${times} times, ${atOnce} at once`,
      change: { times, atOnce },
    });
  };
  return [
    one([25, 1], deploys.getBlocks, { depth: 50 }),
    one([48, 16], deploys.getBlocks, { depth: 50 }),
    one([20, 1], deploys.showMainChain, { depth: 50 }),
    one([48, 16], deploys.showMainChain, { depth: 50 }),
    one([20, 1], deploys.getBlocksByHeights, { startBlockNumber: 0n, endBlockNumber: 49n }),
    one([16, 16], deploys.getBlocksByHeights, { startBlockNumber: 100n, endBlockNumber: 599n }),
    one([20, 1], deploys.visualizeDag, { depth: 50 }),
    one([16, 16], deploys.visualizeDag, { depth: 250 }),
    one([1, 1], deploys.getBlocks, { depth }),
    one([16, 16], deploys.getBlocks, { depth }),
    one([1, 1], deploys.showMainChain, { depth }),
    {
      ...one([1, 1], deploys.getBlocks, { depth }),
      name: `getBlocks ${depth}, read slowly`,
      change: { pauseMs: 10, pauses: 100 },
    },
    {
      ...one([4, 4], deploys.getBlocks, { depth: 1_000 }),
      name: "getBlocks 1000, four read slowly",
      change: { times: 4, atOnce: 4, pauseMs: 20, pauses: 50 },
    },
  ];
}

function largeCases({ blocks }: ServedChain): readonly PlannedCase[] {
  const group = "large messages" as const;
  const echo = (bytes: number) => {
    const [head, tail] = ['new return in { return!("', '") }'];
    return { term: `${head}${"x".repeat(bytes - head.length - tail.length)}${tail}` };
  };
  const explore = deploys.exploratoryDeploy;
  return [
    planned({
      ...{ group, method: deploys.getBlock },
      message: { hash: blocks.oneLarge },
      name: "one deploy of 3.9 MB",
    }),
    planned({
      ...{ group, method: deploys.getBlock, message: { hash: blocks.large } },
      name: "a block with two of these, three times",
      change: { ...unlimited, times: 3 },
    }),
    planned({
      ...{ group, method: explore, message: echo(usualAnswerBytes - 5_000) },
      name: "an answer of almost 4 MiB, 16 times, four at once",
      change: { times: 16, atOnce: 4 },
    }),
    planned({
      ...{ group, method: explore, message: echo(maxRequestBytes - 5) },
      name: "the largest request, and its like as an answer",
      change: unlimited,
    }),
    {
      ...planned({
        ...{ group, method: explore, message: echo(maxRequestBytes - 4) },
        name: "a request that is one byte too large",
        expected: { status: status.resourceExhausted },
      }),
      isEarly: true,
    },
  ];
}

/** Calls that end early, each followed by one that does not. */
function brokenCases(): readonly PlannedCase[] {
  const group = "deadlines and cancels" as const;
  const stream = { group, method: deploys.getBlocks, message: { depth } };
  const watch = { group, method: Health.method.watch, message: {} };
  const explore = { group, method: deploys.exploratoryDeploy, message: { term: endless } };
  const cases = [
    planned({
      ...{ ...watch, name: "a deadline within an endless stream" },
      change: { deadlineMs: 1_500, times: 4, atOnce: 4 },
      expected: { status: status.deadlineExceeded, atLeast: 1 },
    }),
    planned({
      ...{ ...explore, name: "a deadline within a long exploration" },
      change: { deadlineMs: 100 },
      expected: { status: status.deadlineExceeded },
    }),
    planned({
      ...{ ...stream, name: "a stream that is cancelled after ten elements" },
      change: { cancelAfter: 10, times: 32, atOnce: 16 },
      expected: { status: status.cancelled, atLeast: 10 },
    }),
    planned({
      ...{ ...watch, name: "an endless stream that is cancelled" },
      change: { cancelAfter: 1 },
      expected: { status: status.cancelled, atLeast: 1 },
    }),
    planned({
      ...{ ...explore, name: "an exploration that is cancelled" },
      change: { cancelAfterMs: 100 },
      expected: { status: status.cancelled },
    }),
  ];
  const after = (name: string) =>
    planned({ group, method: deploys.getBlocks, message: { depth: 50 }, name: `${name}, and the next call` });
  return cases.flatMap((one) => [one, after(one.name)]);
}

function toolCases(): readonly PlannedCase[] {
  const group = "health and reflection" as const;
  const health = (service: string) => ({ group, method: Health.method.check, message: { service } });
  const ask = (service: string, name: string, method: Reflection, messageRequest: Question["messageRequest"]) =>
    planned({ ...{ group, method, message: { host: "", messageRequest } }, name: `${service}: ${name}` });
  const reflections = [ServerReflection, ServerReflectionV1].flatMap(({ typeName, method }) => {
    // Both have the same messages under different names.
    const asked = method.serverReflectionInfo as Reflection;
    return [
      ask(typeName, "which services", asked, { case: "listServices", value: "" }),
      ask(typeName, "the file of a service", asked, { case: "fileContainingSymbol", value: DeployService.typeName }),
      ask(typeName, "a file by its name", asked, { case: "fileByFilename", value: "google/protobuf/empty.proto" }),
      ask(typeName, "what is not there", asked, { case: "fileContainingSymbol", value: "none.Such" }),
    ];
  });
  return [
    planned({ ...health(""), name: "the health of the node" }),
    planned({ ...health(DeployService.typeName), name: "the health of a service" }),
    planned({ ...health("none.Such"), name: "the health of no service", expected: { status: status.notFound } }),
    // A map with entries that each library writes in its own order.
    planned({ group, method: Health.method.list, message: {}, name: "the health of all", change: { shows: true } }),
    ...reflections,
  ];
}

type Reflection = typeof ServerReflection.method.serverReflectionInfo;
type Question = MessageShape<Reflection["input"]>;

interface Plan<M extends DescMethod> {
  readonly group: (typeof groups)[number];
  readonly name: string;
  readonly method: M;
  readonly message: MessageInitShape<M["input"]>;
  readonly change?: Partial<ClientCase>;
  readonly expected?: Expected;
}

/** One call that ends well, unless stated otherwise. */
function planned<M extends DescMethod>({ group, name, method, message, ...rest }: Plan<M>): PlannedCase {
  return {
    ...{ group, name: `${group}: ${name}`, method, message, isInternal: false, isEarly: false },
    ...{ change: rest.change ?? {}, expected: rest.expected ?? "asServed" },
  };
}

function shown(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
