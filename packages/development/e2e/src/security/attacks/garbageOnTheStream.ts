import { randomBytes } from "node:crypto";
import type { Attack } from "../Attack.js";
import type { AttackedReplica } from "../AttackedReplica.js";
import { newestOf } from "../honestDeploys.js";
import { repeat } from "./requests.js";

const writers = 4;

/** Sends invalid messages on the subjects of existing and of unknown blocks. */
export const garbageOnTheStream: Attack<AttackedReplica> = {
  name: "a replica's stream: messages that are none",
  async run(target, enough) {
    const { names, stream, dev } = target;
    await repeat(enough, writers, async (_, round) => {
      const newest = Buffer.from((await newestOf(dev.ready.ports.http)).blockHash, "hex");
      for (const hash of [newest, randomBytes(32)]) {
        const text = hash.toString("hex");
        const subjects = [
          ...[names.block(text, "valid"), names.block(text, "invalid"), names.final(hash), names.alarm(text)],
          ...[names.said(text, "valid", "attacker"), names.part(text, round), names.life("attacker")],
          ...[`${names.block(text, "valid")}.attacker`, `${names.final(hash)}.attacker`],
        ];
        for (const [at, subject] of subjects.entries())
          await stream.publish(subject, garbage(at + round)).catch(() => undefined);
      }
    });
    await target.follows();
    const { accounts, ports } = dev.ready;
    await dev.ask("/dev/faucet", { address: accounts[1]!.address, amount: 1 });
    await target.follows();
    const [here, there] = await Promise.all([target.statusPort, ports.http].map(newestOf));
    return here?.blockHash === there?.blockHash ? [] : ["a replica with other blocks"];
  },
};

function garbage(kind: number): Uint8Array {
  const texts = [
    '{"format":"vedette-stream-1"}',
    '{"format":"vedette-stream-1","number":4611686018427387904}',
    "null",
    "",
  ];
  const text = texts[kind % (texts.length + 1)];
  return text === undefined ? randomBytes(300) : new TextEncoder().encode(text);
}
