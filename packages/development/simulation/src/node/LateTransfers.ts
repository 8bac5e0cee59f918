import { emptyBytes, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { BlockTransfers, ReportedTransfer } from "@vedette/execution";
import type { LookupResult } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import { type Block, decodeStoredBlock, hashKey, rnode } from "@vedette/protocol";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";

/** Share of the blocks, chosen by their hashes, with transfers that are never found, as where a state is not held. */
const neverShare = 1 / 32;
/** A part of the blocks, by their hashes: readers see these later than the index requests them. */
const lateShare = 1 / 4;
const maxEarlyChecks = 3;
/** Calls that end in an error, as when a thread ends. */
const failingShare = 0.1;
/** One more request than this is answered; what three requests do not get is missing for good. */
const maxConsecutiveFailures = 2;
const readMs = 10;

/** The parts that readers work with. */
export interface LateReaders {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  /** Whether they see nothing of what was written lately. */
  readonly isBehind: () => boolean;
}

/** Readers that return what blocks moved: from their deploys, late, not always, and not at the first request. */
export function delayedTransfers(
  owner: Owner & { readonly slowness: number },
  { time, random, isBehind }: LateReaders,
): QueryReaders {
  let failures = 0;
  const looks = new Map<string, number>();
  const seen = (block: Block): LookupResult<BlockTransfers> => {
    if (isBehind()) return { kind: "notYet" };
    const key = hashKey(block.hash);
    const look = looks.get(key) ?? 0;
    looks.set(key, look + 1);
    return look < looksTooEarly(block) ? { kind: "notYet" } : transfersIn(block);
  };
  const transfers = ({ blocks }: { readonly blocks: readonly { readonly block: Uint8Array }[] }) =>
    new Promise((resolve, reject) => {
      const ms = readMs * blocks.length * owner.slowness * (0.5 + random.unit());
      time.after(ms, owner, "transfers", () => {
        const fails = random.chance(failingShare) && failures < maxConsecutiveFailures;
        failures = fails ? failures + 1 : 0;
        if (fails) reject(new Error("the reader's thread ended"));
        else resolve(blocks.map(({ block }) => seen(decodeStoredBlock(block, rnode.blockForm))));
      });
    });
  return { call: (_: "transfers", argument: Parameters<typeof transfers>[0]) => transfers(argument) } as QueryReaders;
}

/** The number of requests for a block before a lagging reader sees it: none for most blocks, a few for some. */
function looksTooEarly({ hash }: Block): number {
  return hash[1]! < lateShare * 256 ? 1 + (hash[2]! % maxEarlyChecks) : 0;
}

/** Returns the transfers of a block, by its deploys' programs. */
export function transfersIn(block: Block): LookupResult<BlockTransfers> {
  if (block.hash[0]! < neverShare * 256) return { kind: "never" };
  const none: readonly ReportedTransfer[] = [];
  const value = {
    deploys: block.body.deploys.map(({ deploy, failed }) => {
      const [from, [verb, to = "", amount = "0"]] = [deploy.deployer, deploy.term.split(" ")];
      const moved = verb === "transfer" ? [transferOf(from, { to, amount, isReverted: failed })] : none;
      return [none, moved, none];
    }),
    systemDeploys: block.body.systemDeploys.map(() => [none]),
  };
  return { kind: "found", value };
}

function transferOf(
  from: Uint8Array,
  { to, amount, isReverted }: { readonly to: string; readonly amount: string; readonly isReverted: boolean },
): ReportedTransfer {
  const addressOf = (key: Uint8Array) => vaultAddressOfPublicKey(key) ?? "";
  return {
    ...{ from: addressOf(from), to: addressOf(Uint8Array.from(Buffer.from(to, "hex"))), amount: BigInt(amount) },
    ...{ answerName: emptyBytes, failure: undefined, isReverted },
  };
}
