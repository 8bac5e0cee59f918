import { testUnderKills } from "./fleet/testUnderKills.js";

testUnderKills({
  size: { validators: 2, rhythmMs: 1_500, replicas: 3 },
  durationMs: 600_000,
  followers: 50,
  readers: 4,
});
