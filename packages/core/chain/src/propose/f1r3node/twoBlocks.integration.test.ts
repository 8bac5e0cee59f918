import { hashKey } from "@vedette/protocol";
import { runs, usualCases } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MixedNetwork, type MixedNetworkPlan } from "../../testing/MixedNetwork.js";
import { testKey } from "../../testing/ProposeNetwork.js";

/** Which of the two blocks a validator receives first, and whether it makes a block before it receives the other. */
interface Sighting {
  readonly first: 0 | 1;
  readonly builds: boolean;
}

const sightings: readonly Sighting[] = [
  { first: 0, builds: false },
  { first: 1, builds: false },
  { first: 0, builds: true },
  { first: 1, builds: true },
];
const unbuilt = sightings.filter(({ builds }) => !builds);

/** Delivers the two blocks, then all blocks, and makes rounds. @returns the faults, and the progress of finality */
async function goOn(plan: MixedNetworkPlan, seen: readonly Sighting[]) {
  const network = await MixedNetwork.begin(plan);
  const before = network.finalHeight;
  for (const [index, { first, builds }] of seen.entries()) {
    const node = network.nodes[index]!;
    await node.receive(network.sides[first]!);
    if (builds) await network.make(index);
    await node.receive(network.sides[1 - first]!);
  }
  await network.deliverAll();
  let rounds = 0;
  for (; rounds < 4; rounds += 1) await network.round();
  const finals = network.finalHeight - before;
  return { network, wrong: [...network.refusals(), ...network.faults(), ...network.wronged()], finals };
}

/** Returns every assignment of these to `count` validators. */
function everySighting(of: readonly Sighting[], count: number): Sighting[][] {
  if (count === 0) return [[]];
  return everySighting(of, count - 1).flatMap((before) => of.map((one) => [...before, one]));
}

describe("where a validator makes two blocks at once", () => {
  test.each([{ makes: ["vedette", "vedette"] }, { makes: ["vedette", "f1r3node"] }] as const)(
    "two others go on as one, whichever each receives first: $makes",
    async ({ makes }) => {
      for (const seen of usualCases(everySighting(sightings, 2), 5)) {
        const { wrong, finals } = await goOn({ makes, isRaced: true }, seen);
        expect(wrong, JSON.stringify(seen)).toEqual([]);
        expect(finals, JSON.stringify(seen)).toBeGreaterThan(3);
      }
    },
  );

  test.each([
    { makes: ["vedette", "vedette", "vedette"] },
    { makes: ["vedette", "vedette", "f1r3node"] },
    { makes: ["vedette", "f1r3node", "f1r3node"] },
  ] as const)("three others do, too: $makes", async ({ makes }) => {
    const any = fc.constantFrom(...everySighting(sightings, 3));
    const property = fc.asyncProperty(any, async (seen) => {
      const { wrong, finals } = await goOn({ makes, isRaced: true }, seen);
      expect(wrong).toEqual([]);
      expect(finals).toBeGreaterThan(3);
    });
    await fc.assert(property, { numRuns: runs(2, 12) });
  });

  test("it loses its stake where f1r3node nodes all find the same one invalid, and Vedette's blocks are valid to them", async () => {
    const [same] = unbuilt;
    for (const own of unbuilt) {
      const { network, wrong, finals } = await goOn({ makes: ["vedette", "f1r3node", "f1r3node"], isRaced: false }, [
        own,
        same!,
        same!,
      ]);
      expect(wrong).toEqual([]);
      expect(finals).toBeGreaterThan(3);
      expect(network.nodes.map((_, index) => network.offenderStake(index))).toEqual([0n, 0n, 0n]);
    }
  });

  test.each([true, false])(
    "a node that begins after the slash follows, whether the other block arrives late or never (late: %s)",
    async (isReceived) => {
      const [same] = unbuilt;
      for (const makes of [
        ["f1r3node", "f1r3node"],
        ["vedette", "f1r3node", "f1r3node"],
      ] as const) {
        const { network } = await goOn(
          { makes, isRaced: false },
          makes.map(() => same!),
        );
        const observer = await network.observe(0, isReceived);
        const invalid = network.made.filter(({ hash }) => observer.dag.isInvalid(hash) || !observer.dag.has(hash));
        expect(invalid.map(({ hash, number }) => [number, observer.dag.invalidReason(hash)])).toEqual([]);
        expect(observer.lastFinalized.number).toBeGreaterThanOrEqual(network.finalHeight);
      }
    },
  );

  test("Vedette accuses no honest validator where f1r3node nodes' own rules leave no way", async () => {
    const builds = { first: 0, builds: true } as const;
    const other = { first: 1, builds: false } as const;
    const { network, wrong } = await goOn({ makes: ["vedette", "f1r3node"], isRaced: false }, [builds, other]);
    expect(wrong).toContainEqual(
      expect.stringMatching(/^v2 \(f1r3node\) on #\d+ of v1 \(vedette\): NeglectedInvalidBlock$/),
    );
    expect([...network.faults(), ...network.wronged()]).toEqual([]);
    expect(slashesOf(network)).not.toContain("v1");
  });

  test("a validator of Vedette slashes only for what all others slash for", async () => {
    const [same] = unbuilt;
    const { network, wrong } = await goOn({ makes: ["vedette", "f1r3node", "f1r3node"], isRaced: true }, [
      same!,
      same!,
      same!,
    ]);
    expect(wrong).toEqual([]);
    expect(slashesOf(network)).toEqual([]);
    const alone = await goOn({ makes: ["vedette", "vedette", "f1r3node"], isRaced: false }, [same!, same!, same!]);
    expect(alone.wrong).toEqual([]);
    expect(new Set(slashesOf(alone.network))).toEqual(new Set(["v3"]));
  });
});

/** The creators of the slashes in the blocks of honest validators. */
function slashesOf({ made, nodes }: MixedNetwork): string[] {
  return made.flatMap(({ sender, body }) =>
    body.systemDeploys.flatMap(({ systemDeploy }) => {
      if (systemDeploy.kind !== "slash") return [];
      const maker = nodes.find(({ validator }) => hashKey(testKey(validator.name).publicKey) === hashKey(sender));
      return [maker!.validator.name];
    }),
  );
}
