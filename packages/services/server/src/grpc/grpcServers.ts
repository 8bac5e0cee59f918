import type { DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, Interceptor } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { DeployNotes, DeployService, Health, Light, Lsp, ProposeService, Repl } from "@vedette/api/grpc";
import type { TrustedProxies } from "@vedette/config";
import type { BeginRead } from "@vedette/executor/threads";
import type { ApiQueries } from "@vedette/queries";
import type { UnsentAnswers } from "../http/UnsentAnswers.js";
import type { ApiKeys } from "../keys/ApiKeys.js";
import { keyHeaders } from "../keys/ApiKeys.js";
import { chainHeadInterceptor } from "./chainHeadInterceptor.js";
import { registerDeployNotes } from "./deployNotesService.js";
import { registerDeployService } from "./deployService.js";
import { GrpcServer } from "./GrpcServer.js";
import { healthTimes, registerHealth } from "./healthService.js";
import { registerLight } from "./lightService.js";
import type { GrpcLimits } from "./limits.js";
import { registerLsp } from "./lspService.js";
import { registerProposeService } from "./proposeService.js";
import { registerReflection } from "./reflectionService.js";
import { registerRepl } from "./replService.js";
import type { Workbench } from "./workbench/Workbench.js";

/** The parts of the servers. */
export interface GrpcServersOptions {
  readonly queries: ApiQueries;
  readonly limits: GrpcLimits;
  /** Proxies that are believed about their clients' addresses; left out: none. */
  readonly proxies?: TrustedProxies | undefined;
  /** Host names that the users' port accepts; none means any. */
  readonly hosts?: readonly string[] | undefined;
  /** Keys that the operator has given out to users; left out: keys are nothing. */
  readonly keys?: ApiKeys | undefined;
  /** Takes what went wrong in a method, for the log. @spec 50 §3.2 */
  readonly onFailure: (service: "Deploy" | "Propose", error: unknown) => void;
  readonly nowMs: () => number;
  /** Answers that are not delivered yet, of all servers together; left out: of each server. */
  readonly unsent?: UnsentAnswers | undefined;
  /** Where programs of the operator are run and checked; left out: they are not. */
  readonly workbench?: Workbench | undefined;
  /** Called after every call of a known method. */
  readonly onCall?: ((path: string, milliseconds: number) => void) | undefined;
  /** Begins each call that reads the chain; left out: at once. */
  readonly begin?: BeginRead | undefined;
}

/** The services of each port, beside health and reflection; the workbench's are there if the operator has one. */
export const grpcServices: { readonly [port in "external" | "internal" | "workbench"]: readonly DescService[] } = {
  external: [DeployService, DeployNotes, Light],
  internal: [DeployService, ProposeService, DeployNotes, Light],
  workbench: [Repl, Lsp],
};

/** The server for users. @spec 50 §3.1 */
export function externalGrpcServer(options: GrpcServersOptions): GrpcServer {
  return serverOf(options, { web: true, services: grpcServices.external, register: () => undefined });
}

/** The server for the operator: what users have, the making of blocks, and the workbench. @spec 50 §3.1 */
export function internalGrpcServer(options: GrpcServersOptions): GrpcServer {
  const { queries, onFailure, workbench } = options;
  return serverOf(options, {
    web: false,
    services: [...grpcServices.internal, ...(workbench === undefined ? [] : grpcServices.workbench)],
    register: (router) => {
      registerProposeService(router, queries.proposals, (error) => onFailure("Propose", error));
      if (workbench === undefined) return;
      registerRepl(router, workbench);
      registerLsp(router, workbench);
    },
  });
}

interface Port {
  readonly web: boolean;
  /** All its services besides health and reflection. */
  readonly services: readonly DescService[];
  /** Registers those that are not for users. */
  readonly register: (router: ConnectRouter) => void;
}

function serverOf(options: GrpcServersOptions, { web, services, register }: Port): GrpcServer {
  const { queries, limits, proxies, hosts = [], keys, onFailure, nowMs, onCall, begin, unsent } = options;
  const isServing = () => hasChain(queries);
  return new GrpcServer({
    limits,
    proxies,
    hosts: web ? hosts : [],
    nowMs,
    unsent,
    web,
    onCall,
    interceptors: [
      ...(keys === undefined || !web ? [] : [countKeys(keys)]),
      ...(begin === undefined ? [] : [beginCalls(begin, services)]),
      chainHeadInterceptor(queries.head),
    ],
    routes: (router) => {
      registerDeployService(router, queries, (error) => onFailure("Deploy", error));
      registerDeployNotes(router, queries, (error) => onFailure("Deploy", error));
      registerLight(router, queries, (error) => onFailure("Deploy", error));
      register(router);
      registerHealth(router, { services: services.map(({ typeName }) => typeName), isServing, times: healthTimes });
      registerReflection(router, [...services, Health]);
    },
  });
}

/** @param services whose calls read the chain; health and reflection, whose calls may go on for ever, do not */
function beginCalls(begin: BeginRead, services: readonly DescService[]): Interceptor {
  return (next) => async (request) => {
    if (!services.includes(request.service)) return next(request);
    let end = () => {};
    await new Promise<void>((resolve) => {
      end = begin(resolve);
    });
    // The client may leave in the middle of a stream. The rest is then not read, so the end never comes.
    request.signal.addEventListener("abort", end, { once: true });
    let goesOn = false;
    try {
      const response = await next(request);
      if (!response.stream) return response;
      goesOn = true;
      return { ...response, message: thenCall(response.message, end) };
    } finally {
      if (!goesOn) end();
    }
  };
}

async function* thenCall<Message>(messages: AsyncIterable<Message>, end: () => void): AsyncIterable<Message> {
  try {
    yield* messages;
  } finally {
    end();
  }
}

/** Whether there is a chain to answer from: before that every read is refused; and whether the node is to stay. */
function hasChain({ blocks, status }: ApiQueries): boolean {
  if (status.now().isDraining === true) return false;
  try {
    blocks.requireLastFinalized();
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls with an API key count for it; where keys are required, calls without one end as `Unauthenticated`, but for the
 * question whether the node is well.
 *
 * @spec 50 §1.17
 */
function countKeys(keys: ApiKeys): Interceptor {
  return (next) => async (request) => {
    const { header, service } = request;
    const given = {
      authorization: header.get(keyHeaders.authorization) ?? undefined,
      key: header.get(keyHeaders.key) ?? undefined,
    };
    const verdict = keys.judge(given, performance.now(), service.typeName === Health.typeName);
    if (verdict.kind === "refused") throw new ConnectError(verdict.reason, Code.Unauthenticated);
    const waitSeconds = verdict.kind === "counted" ? await verdict.waitSeconds : 0;
    if (verdict.kind === "counted" && waitSeconds > 0) {
      const metadata = { "retry-after": String(waitSeconds) };
      const text = `Too many requests with the key ${verdict.name}; send the next one in ${waitSeconds} s.`;
      throw new ConnectError(text, Code.ResourceExhausted, metadata);
    }
    return next(request);
  };
}
