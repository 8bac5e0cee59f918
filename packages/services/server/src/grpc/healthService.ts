import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, ServingStatus } from "@vedette/api/grpc";
import { CallPlaces } from "@vedette/queries";
import { callClient } from "./callClient.js";

/** The sources of a server's health. */
export interface HealthSources {
  /** Full names of the services of the server. */
  readonly services: readonly string[];
  /** Whether calls can be answered now. */
  readonly isServing: () => boolean;
  /** How often watchers look for changes, and how often they receive the same status again. */
  readonly times: { readonly lookMs: number; readonly repeatMs: number };
}

/** Calls that may watch one server, each without end; a client with many loses one to a client with fewer. */
const maxWatchers = 64;

/** Looks once a second; sends something in time, so that no client and no server treats the call as dead. */
export const healthTimes = { lookMs: 1_000, repeatMs: 20_000 } as const;

/** `grpc.health.v1.Health`: for load balancers and containers. @spec 50 §3.1 */
export function registerHealth(router: ConnectRouter, { services, isServing, times }: HealthSources): void {
  const names = new Set(["", ...services]);
  const now = () => (isServing() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  const watchers = new CallPlaces({ maxCalls: maxWatchers });
  router.service(Health, {
    check({ service }) {
      if (!names.has(service)) throw new ConnectError(`unknown service ${service.slice(0, 200)}`, Code.NotFound);
      return { status: now() };
    },
    list: () => ({ statuses: Object.fromEntries([...names].map((name) => [name, { status: now() }])) }),
    async *watch({ service }, { signal: left, values }) {
      const cut = new AbortController();
      const place = watchers.take(values.get(callClient), () => cut.abort());
      if (place === undefined) throw tooMany();
      const signal = AbortSignal.any([left, cut.signal]);
      try {
        const look = () => (names.has(service) ? now() : ServingStatus.SERVICE_UNKNOWN);
        while (!signal.aborted) {
          const status = look();
          yield { status };
          for (let ms = 0; ms < times.repeatMs && look() === status && !signal.aborted; ms += times.lookMs)
            await pause(times.lookMs, signal);
        }
        if (!left.aborted) throw tooMany();
      } finally {
        place.leave();
      }
    },
  });
}

function tooMany(): ConnectError {
  return new ConnectError("Too many watch already.", Code.ResourceExhausted);
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
