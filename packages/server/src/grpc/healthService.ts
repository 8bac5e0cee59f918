import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, ServingStatus } from "@vedette/api/grpc";

/** What the health of a server is told from. */
export interface HealthSources {
  /** Full names of the services that stand on the server. */
  readonly services: readonly string[];
  /** Whether calls can be answered now. */
  readonly isServing: () => boolean;
  /** How often watchers look, and how often they are told what they know. */
  readonly times: { readonly lookMs: number; readonly repeatMs: number };
}

/** Clients that may watch one server; each is a call that does not end. */
const maxWatchers = 64;

/** Looks once a second; says something in time, so that no client and no server takes the call for dead. */
export const healthTimes = { lookMs: 1_000, repeatMs: 20_000 } as const;

/** `grpc.health.v1.Health`: load balancers and containers ask it. @spec 50 §3.1 */
export function registerHealth(router: ConnectRouter, { services, isServing, times }: HealthSources): void {
  const names = new Set(["", ...services]);
  const now = () => (isServing() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  let watchers = 0;
  router.service(Health, {
    check({ service }) {
      if (!names.has(service)) throw new ConnectError(`unknown service ${service.slice(0, 200)}`, Code.NotFound);
      return { status: now() };
    },
    list: () => ({ statuses: Object.fromEntries([...names].map((name) => [name, { status: now() }])) }),
    async *watch({ service }, { signal }) {
      if (watchers >= maxWatchers) throw new ConnectError("Too many watch already.", Code.ResourceExhausted);
      watchers += 1;
      try {
        const look = () => (names.has(service) ? now() : ServingStatus.SERVICE_UNKNOWN);
        while (!signal.aborted) {
          const status = look();
          yield { status };
          for (let ms = 0; ms < times.repeatMs && look() === status && !signal.aborted; ms += times.lookMs)
            await pause(times.lookMs, signal);
        }
      } finally {
        watchers -= 1;
      }
    },
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds).unref();
    signal.addEventListener("abort", done, { once: true });
  });
}
