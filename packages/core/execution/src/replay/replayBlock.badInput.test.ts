import { blake2b256, toHex } from "@vedette/crypto";
import {
  Block,
  CommEvent,
  ConsumeEvent,
  decodeBlock,
  type Event,
  encodeBlock,
  type ProcessedDeploy,
  type ProcessedSystemDeploy,
  ProduceEvent,
  rnode,
} from "@vedette/protocol";
import { chainsThatAreThere, runs } from "@vedette/testing";
import { SpaceError } from "@vedette/tuplespace";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ExecutionError } from "../ExecutionError.js";
import { type RecordedMoment, recordedReplay } from "../testing/recordedReplay.js";
import { replayBlock } from "./replayBlock.js";

/** Parts of a block's body that a test changes. */
interface Changes {
  readonly deploys?: readonly ProcessedDeploy[];
  readonly systemDeploys?: readonly ProcessedSystemDeploy[];
  readonly postStateHash?: Uint8Array;
}

describe.each(chainsThatAreThere("merge"))(
  "blocks of chain %s that state something else than what happens",
  (chain) => {
    let moment: RecordedMoment;
    let atEpoch: RecordedMoment;
    let root: string;

    beforeAll(() => {
      for (const one of recordedReplay(chain)) {
        if (one.facts.number === 1) moment = one;
        atEpoch = one;
        if (one.facts.number === 4) break;
      }
      root = toHex(moment.block.body.state.postStateHash);
    });

    /** Returns the result of a changed block; afterwards the true one must still replay. */
    function outcomeOf(changes: Changes): string {
      const outcome = outcome0(moment, changes);
      const again = replayBlock(moment.states, moment.replay);
      expect("failure" in again ? again.failure.code : toHex(again.postState)).toBe(root);
      return outcome;
    }

    const first = (): ProcessedDeploy => moment.block.body.deploys[0]!;
    const withFirst = (changes: Partial<ProcessedDeploy>): Changes => ({
      deploys: [{ ...first(), ...changes }, ...moment.block.body.deploys.slice(1)],
    });
    const close = (): ProcessedSystemDeploy => moment.block.body.systemDeploys[0]!;

    test("nothing changed", () => {
      expect(outcomeOf({})).toBe("valid");
    });

    test("another cost", () => {
      const { cost } = first();
      expect(outcomeOf(withFirst({ cost: cost + 1n }))).toBe("ReplayCostMismatch at 0");
      expect(outcomeOf(withFirst({ cost: 0n }))).toBe("ReplayCostMismatch at 0");
      expect(outcomeOf(withFirst({ cost: -1n }))).toBe("ReplayCostMismatch at 0");
    });

    test("a success called a failure; the status is compared before the cost", () => {
      expect(outcomeOf(withFirst({ failed: true, cost: 0n }))).toBe("ReplayStatusMismatch at 0");
    });

    test("a charge that was taken called refused", () => {
      expect(outcomeOf(withFirst({ systemDeployError: "Deploy payment failed: Insufficient funds" }))).toBe(
        "ReplayStatusMismatch at 0",
      );
    });

    test("another post-state", () => {
      expect(outcomeOf({ postStateHash: blake2b256(Uint8Array.of(1)) })).toBe("stateMismatch");
    });

    test("a deploy without its log", () => {
      expect(outcomeOf(withFirst({ log: [] }))).toMatch(/^platform|^Replay|^Internal/);
    });

    test("a COMM too many", () => {
      const consume = new ConsumeEvent([blake2b256(Uint8Array.of(1))], blake2b256(Uint8Array.of(2)), false);
      const produce = new ProduceEvent(blake2b256(Uint8Array.of(1)), blake2b256(Uint8Array.of(3)), false);
      const comm = new CommEvent(consume, [produce], [1], []);
      expect(outcomeOf(withFirst({ log: [comm, consume, produce, ...first().log] }))).toBe("UnusedCOMMEvent at 0");
    });

    test("logs of two deploys exchanged", () => {
      const [one, other] = [close(), first()];
      const changes = { ...withFirst({ log: one.log }), systemDeploys: [{ ...one, log: other.log }] };
      expect(outcomeOf(changes)).not.toBe("valid");
    });

    test("no close of the block, or two, which only the state shows, and only where an epoch ends", () => {
      // Quirk 41 §4.2: system deploys are not counted.
      expect(outcomeOf({ systemDeploys: [] })).toBe("valid");
      expect(outcomeOf({ systemDeploys: [close(), close()] })).toBe("valid");
      expect(outcome0(atEpoch, {})).toBe("valid");
      expect(outcome0(atEpoch, { systemDeploys: [] })).toBe("stateMismatch");
    });

    test("a system deploy that is unknown, or that failed", () => {
      expect(outcomeOf({ systemDeploys: [{ ...close(), systemDeploy: { kind: "empty" } }] })).toBe(
        `InternalError at ${moment.block.body.deploys.length}`,
      );
      expect(outcomeOf({ systemDeploys: [{ ...close(), error: "refused" }] })).toBe(
        `InternalError at ${moment.block.body.deploys.length}`,
      );
    });

    test("a slash that the log does not bear out", () => {
      const slash = {
        kind: "slash",
        invalidBlockHash: blake2b256(Uint8Array.of(9)),
        issuerPublicKey: moment.block.sender,
      } as const;
      expect(outcomeOf({ systemDeploys: [{ ...close(), systemDeploy: slash }] })).not.toBe("valid");
    });

    test("a pre-state that does not exist", () => {
      const preState = blake2b256(Uint8Array.of(7));
      expect(() => replayBlock(moment.states, { ...moment.replay, preState })).toThrow(SpaceError);
      expect(outcomeOf({})).toBe("valid");
    });

    test("logs changed at random are refused or make no difference, and never more than an error", () => {
      const { deploys } = moment.block.body;
      fc.assert(
        fc.property(fc.nat(deploys.length), anyMutation, (place, mutation) => {
          const mutated = (log: readonly Event[]): Event[] => mutate(log, mutation);
          const changes =
            place === deploys.length
              ? { systemDeploys: [{ ...close(), log: mutated(close().log) }] }
              : { deploys: deploys.map((one, at) => (at === place ? { ...one, log: mutated(one.log) } : one)) };
          expect(outcome0(moment, changes)).toMatch(
            /^(valid|stateMismatch|platform|fatal|numberChannel|[A-Za-z]+ at \d+)$/,
          );
        }),
        { numRuns: runs(8, 40) },
      );
      expect(outcomeOf({})).toBe("valid");
    });
  },
);

function outcome0({ states, replay, block }: RecordedMoment, changes: Changes): string {
  const changed = changedBlock(block, changes);
  try {
    const result = replayBlock(states, { ...replay, block: changed });
    if ("failure" in result) return `${result.failure.code} at ${result.deployIndex}`;
    return toHex(result.postState) === toHex(changed.body.state.postStateHash) ? "valid" : "stateMismatch";
  } catch (error) {
    if (error instanceof ExecutionError) return error.failure.code;
    throw error;
  }
}

/** As it comes over the wire. */
function changedBlock(block: Block, { postStateHash, deploys, systemDeploys }: Changes): Block {
  const { body, hash, header, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId } = block;
  const changed = new Block({
    ...{ hash, header, justifications, sender, sequenceNumber, signature, signatureAlgorithm, shardId },
    extraBytes: block.extraBytes,
    body: {
      ...body,
      state: { ...body.state, postStateHash: postStateHash ?? body.state.postStateHash },
      deploys: deploys ?? body.deploys,
      systemDeploys: systemDeploys ?? body.systemDeploys,
    },
  });
  return decodeBlock(encodeBlock(changed), rnode.blockForm);
}

/** One change to a log; `at` and `to` are taken modulo its length. */
interface Mutation {
  readonly kind:
    | "drop"
    | "repeat"
    | "exchange"
    | "dropAllOfKind"
    | "otherHash"
    | "otherTimes"
    | "otherPeeks"
    | "persist";
  readonly at: number;
  readonly to: number;
}

const anyMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom<Mutation["kind"][]>(
    "drop",
    "repeat",
    "exchange",
    "dropAllOfKind",
    "otherHash",
    "otherTimes",
    "otherPeeks",
    "persist",
  ),
  at: fc.nat(),
  to: fc.nat(),
});

function mutate(log: readonly Event[], { kind, at, to }: Mutation): Event[] {
  if (log.length === 0) return [];
  const place = at % log.length;
  const other = to % log.length;
  const event = log[place]!;
  const replaced = (by: Event): Event[] => log.map((one, index) => (index === place ? by : one));
  switch (kind) {
    case "drop":
      return log.filter((_, index) => index !== place);
    case "repeat":
      return [...log, event];
    case "exchange":
      return log.map((one, index) => (index === place ? log[other]! : index === other ? event : one));
    case "dropAllOfKind":
      return log.filter((one) => one.kind !== event.kind);
    case "otherHash":
      return replaced(withHash(event, blake2b256(Uint8Array.of(to & 255))));
    case "otherTimes":
    case "otherPeeks":
    case "persist":
      return replaced(distorted(event, kind, to));
  }
}

function withHash(event: Event, hash: Uint8Array): Event {
  switch (event.kind) {
    case "produce":
      return new ProduceEvent(event.channelsHash, hash, event.persistent);
    case "consume":
      return new ConsumeEvent(event.channelsHashes, hash, event.persistent);
    case "comm":
      return new CommEvent(
        new ConsumeEvent(event.consume.channelsHashes, hash, event.consume.persistent),
        event.produces,
        event.timesRepeated,
        event.peeks,
      );
  }
}

function distorted(event: Event, kind: "otherTimes" | "otherPeeks" | "persist", by: number): Event {
  if (event.kind === "produce") return new ProduceEvent(event.channelsHash, event.hash, !event.persistent);
  if (event.kind === "consume") return new ConsumeEvent(event.channelsHashes, event.hash, !event.persistent);
  const { consume, produces, timesRepeated, peeks } = event;
  if (kind === "otherTimes")
    return new CommEvent(
      consume,
      produces,
      timesRepeated.map((times) => times + 1 + (by % 3)),
      peeks,
    );
  if (kind === "otherPeeks") return new CommEvent(consume, produces, timesRepeated, peeks.length === 0 ? [by % 5] : []);
  return new CommEvent(
    new ConsumeEvent(consume.channelsHashes, consume.hash, !consume.persistent),
    produces,
    timesRepeated,
    peeks,
  );
}
