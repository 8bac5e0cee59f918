// Covers: queries/events, server, replication/stream
import { testUnderKills } from "./fleet/testUnderKills.js";

testUnderKills({
  size: { validators: 2, rhythmMs: 1_500, replicas: 3 },
  durationMs: Number(process.env["VEDETTE_LONG_FLEET_SECONDS"] ?? 240) * 1_000,
  followers: 50,
  readers: 4,
});
