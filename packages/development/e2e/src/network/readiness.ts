import type { NetworkProcesses } from "./NetworkProcesses.js";

/** The parts of `/health/ready` that tests read. @spec 50 §6.7, §6.8 */
export interface Readiness {
  /** The status of the answer. */
  readonly httpStatus: number;
  readonly syncStatus: {
    readonly phase: string;
    readonly blockNumber: number | null;
    readonly lastError: string | null;
    readonly conditions: readonly { readonly code: string; readonly since: string; readonly reason: string }[];
  };
}

/** Queries whether a node is ready. @throws if it does not answer */
export async function readinessOf(network: NetworkProcesses, name: string): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${network.node(name).plan.ports.http}/health/ready`);
  const { syncStatus } = (await answer.json()) as Pick<Readiness, "syncStatus">;
  return { httpStatus: answer.status, syncStatus };
}

/** Waits until a node is not ready for a reason, and reports it. @param said the words of the reason */
export async function untilHeld(
  network: NetworkProcesses,
  name: string,
  code: string,
  said: RegExp = /./,
): Promise<Readiness> {
  let last: Readiness | undefined;
  await network.until(`${name} is not ready, and reports ${code}: ${said}`, async () => {
    last = await readinessOf(network, name);
    const [first] = last.syncStatus.conditions;
    return last.httpStatus === 503 && first?.code === code && said.test(first.reason);
  });
  return last!;
}

/** Waits until a node is ready, and nothing is wrong with it. */
export async function untilReady(network: NetworkProcesses, name: string): Promise<void> {
  await network.until(`${name} is ready`, async () => {
    const { httpStatus, syncStatus } = await readinessOf(network, name);
    return httpStatus === 200 && syncStatus.conditions.length === 0;
  });
}
