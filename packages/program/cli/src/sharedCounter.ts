import type { Config } from "@vedette/config";
import type { JetStreamCounter } from "@vedette/replication/stream";

/** The counter that a fleet shares, as configured; `undefined` where each member counts by itself. */
export async function sharedCounterOf(config: Config): Promise<JetStreamCounter | undefined> {
  const { "api-server.limits.shared-counter-urls": text, "api-server.limits.shared-counter-credentials": credentials } =
    config;
  if (text === "") return undefined;
  const servers = text.split(",").map((url) => url.trim());
  const { NATS_USER: user, NATS_PASSWORD: password } = process.env;
  // Loaded here, since only a node with a shared counter needs it.
  const { JetStreamCounter } = await import("@vedette/replication/stream");
  return new JetStreamCounter(config["protocol-server.network-id"], {
    ...{ servers, user, password },
    ...(credentials === "" ? {} : { credentials }),
  });
}
