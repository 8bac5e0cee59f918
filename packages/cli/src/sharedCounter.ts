import { type Config, ConfigError } from "@vedette/config";
import type { JetStreamCounter } from "@vedette/stream";

/**
 * Where requests are counted with the other members of a fleet, as a configuration says; `undefined` where they are not.
 *
 * @throws {ConfigError}
 */
export async function sharedCounterOf(config: Config): Promise<JetStreamCounter | undefined> {
  const key = "api-server.limits.counted-by";
  const { [key]: text, "api-server.limits.counted-by-credentials": credentials } = config;
  if (text === "") return undefined;
  const servers = text.split(",").map((url) => url.trim());
  if (servers.some((url) => !/^(nats|tls|ws|wss):\/\/\S+$/.test(url)))
    throw new ConfigError([
      { code: "wrongType", key, text: "is no list of NATS servers, such as nats://127.0.0.1:4222" },
    ]);
  const { NATS_USER: user, NATS_PASSWORD: password } = process.env;
  // Nobody else needs it.
  const { JetStreamCounter } = await import("@vedette/stream");
  return new JetStreamCounter(config["protocol-server.network-id"], {
    ...{ servers, user, password },
    ...(credentials === "" ? {} : { credentials }),
  });
}
