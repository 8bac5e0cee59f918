import { type Checkpoint, checkpointFormat } from "@vedette/light";
import type { CreatedSnapshot } from "@vedette/replication/snapshot";

/** The checkpoint that a snapshot carries, as `vedette light --checkpoint` reads it; nothing where it has none. */
export function checkpointLine(snapshot: Omit<CreatedSnapshot, "maker">): readonly string[] {
  const { checkpoint, block, dialect, shard: shardId } = snapshot;
  if (checkpoint === undefined) return [];
  const place = { blockHash: block.hash, blockNumber: block.number, timestamp: checkpoint.timestamp };
  const { thresholdPpm } = checkpoint;
  const whole: Checkpoint = { format: checkpointFormat, dialect, shardId, ...place, thresholdPpm };
  return [`Checkpoint for light clients: ${JSON.stringify(whole)}`];
}
