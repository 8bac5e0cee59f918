import { testUnderKills } from "./fleet/testUnderKills.js";

testUnderKills({
  size: { validators: 1, rhythmMs: 1_500, replicas: 2 },
  durationMs: 40_000,
  followers: 12,
  readers: 2,
});
