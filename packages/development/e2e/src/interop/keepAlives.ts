import { DeployService } from "@vedette/api/grpc";
import type { CaseBook } from "./CaseBook.js";
import { type ClientCallResult, runClient } from "./ClientRun.js";
import type { ClientProgram } from "./clientPrograms.js";
import { FrameTap } from "./FrameTap.js";
import type { ServedNodes } from "./ServedNodes.js";

/** The least that all libraries allow. */
const keepAliveMs = 10_000;
/** Long enough for a fifth ping, since the first of them is none too many. */
const restMs = 53_000;

/** The experience of a client that checks its connection every ten seconds. */
export interface KeptAlive {
  readonly calls: readonly ClientCallResult[];
  readonly connections: number;
  readonly pings: number;
  /** The most pings between two answers. */
  readonly longestRun: number;
  readonly goaways: readonly string[];
}

/** Two clients that make a call, only check the connection for a while, and call again. */
export interface KeepAlives {
  /** At a node that allows a check every five minutes. */
  readonly tooOften: KeptAlive;
  /** At one that allows a check every seven seconds. */
  readonly allowed: KeptAlive;
}

/** Runs a client at both nodes at the same time. */
export async function keepAlives(program: ClientProgram, book: CaseBook, nodes: ServedNodes): Promise<KeepAlives> {
  const at = async (name: string, target: number): Promise<KeptAlive> => {
    await using tap = await FrameTap.before(target);
    const change = { keepAliveMs, restMs, times: 2 };
    const status = book.caseFor({ name, method: DeployService.method.status, message: {}, change, port: tap.port });
    const { folder } = nodes;
    const answers = await runClient(program, [status], { folder });
    const { connections, pings, longestRun, goaways } = tap;
    return { calls: answers.get(name)!, connections, pings, longestRun, goaways };
  };
  const [tooOften, allowed] = await Promise.all([
    at("too often", nodes.reader.ports.grpcExternal),
    at("allowed", nodes.patient.ports.grpcExternal),
  ]);
  return { tooOften, allowed };
}
