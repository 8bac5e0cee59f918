import { SplittableRandom } from "@vedette/crypto";
import {
  BindPattern,
  EVar,
  FreeVar,
  GInt,
  GPrivate,
  ListParWithRandom,
  nil,
  Par,
  ParContinuation,
  ParWithRandom,
} from "@vedette/terms";
import { emptyRoot, memoryStateStore, PlaySpace } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { matchDatum } from "../match/matchPar.js";
import { ChargingSpace } from "./ChargingSpace.js";
import { Phlo } from "./Phlo.js";

const limit = 100000n;
const [x, y, z] = [1, 2, 3].map((id) => Par.of({ unforgeables: [new GPrivate(Uint8Array.of(id))] })) as [Par, Par, Par];
const integer = (value: number) => Par.of({ exprs: [new GInt(BigInt(value))] });
const freeVariable = Par.of({ exprs: [new EVar(new FreeVar(0))], connectiveUsed: true });
const pattern = new BindPattern([freeVariable], undefined, 1);
const seed = SplittableRandom.fromSeed(new Uint8Array(0));

/** Operations of a sender and a receiver, each with a generator of its own. */
class Bench {
  readonly space = new PlaySpace(memoryStateStore(), matchDatum, emptyRoot);
  phlo = new Phlo(limit);

  /** The balance of a new deploy on the same space. */
  nextDeploy(): this {
    this.phlo = new Phlo(limit);
    return this;
  }

  send(channel: Par, value: Par, persist = false): this {
    const data = new ListParWithRandom([value], seed.splitByte(1).toBytes());
    new ChargingSpace(this.space, this.phlo).produce(channel, data, persist, undefined);
    return this;
  }

  receive(channels: readonly Par[], persist = false, bind = pattern): this {
    const body = new ParContinuation(new ParWithRandom(integer(1), seed.splitByte(2).toBytes()));
    const patterns = channels.map(() => bind);
    new ChargingSpace(this.space, this.phlo).consume(channels, patterns, body, persist, [], undefined);
    return this;
  }

  get change(): number {
    return -Number(this.phlo.used);
  }
}

describe("what an operation changes in the balance (22 §8.5)", () => {
  test("a stored receive pays its storage and an event", () => {
    expect(new Bench().receive([x]).change).toBe(-26 - 64);
  });

  test("a send and a receive that meet get their storage back", () => {
    const bench = new Bench().send(x, nil);
    expect(bench.change).toBe(-7 - 64);
    expect(bench.receive([x]).change).toBe(-(64 + 64 + 128));
    expect(new Bench().receive([x]).send(x, integer(1)).change).toBe(-(64 + 64 + 128));
  });

  test("a send with too little phlo runs out, and the balance shows by how much", () => {
    const bench = new Bench();
    bench.phlo = new Phlo(6n);
    expect(() => bench.send(x, nil)).toThrow("Computation ran out of phlogistons.");
    expect(bench.phlo.left).toBe(-1n);
  });

  test("a join of two pays for two channels", () => {
    const bench = new Bench().receive([x, y]);
    expect(bench.change).toBe(-48 - 96);
    bench.send(x, nil);
    expect(bench.change).toBe(-48 - 96 - 7 - 64);
    bench.send(y, nil);
    expect(bench.change).toBe(-48 - 96 - 7 - 64 - 7 + 48 + 14 - 64 - 224);
  });

  test("a persistent send keeps its storage paid when a receive takes a copy", () => {
    const wildcardLike = new BindPattern([freeVariable], undefined, 0);
    expect(new Bench().send(x, integer(1), true).receive([x], false, wildcardLike).change).toBe(-(11 + 64 + 64 + 128));
  });

  test("a persistent receive keeps its storage paid when a send meets it", () => {
    expect(new Bench().receive([x], true).send(x, integer(1)).change).toBe(-(26 + 64 + 64 + 128));
  });

  test("storage of an earlier deploy is refunded to the one that frees it", () => {
    const peers = new Bench().send(x, integer(1), true).send(y, integer(10)).nextDeploy();
    expect(peers.receive([x, y]).change).toBe(11 - 96 - 224);
    expect(new Bench().receive([x]).nextDeploy().send(x, nil).change).toBe(26 - 64 - 128);
    expect(new Bench().send(x, integer(1)).nextDeploy().receive([x]).change).toBe(11 - 64 - 128);
    const three = new Bench().send(x, integer(1)).send(y, integer(10)).receive([x, y, z]).nextDeploy();
    expect(three.send(z, integer(100)).change).toBe(11 + 11 + 70 - 64 - 320);
  });
});
