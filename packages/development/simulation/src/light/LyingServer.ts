import { type LightRules, type TrustedBlock, trustedBlockOf } from "@vedette/light";
import { ShownTargets } from "@vedette/light/testing";
import { type Block, hashKey } from "@vedette/protocol";
import type { SeededRandom } from "../random/SeededRandom.js";

/** The most targets that no honest node finalizes, and final ones, that are tried. */
const maxTargets = 24;

/** A server that has all signed blocks, hidden ones too, and shows any of them to a light client. */
export class LyingServer {
  readonly #all: readonly Block[];
  readonly #byHash: ReadonlyMap<string, Block>;
  readonly #shown: ShownTargets;
  readonly #random: SeededRandom;
  readonly #trusted: readonly TrustedBlock[];

  /** @param trusted blocks that clients begin with, all final */
  constructor(
    all: readonly Block[],
    { trusted, rules, random }: { trusted: readonly Block[]; rules: LightRules; random: SeededRandom },
  ) {
    this.#all = all.filter(({ parents }) => parents.length > 0);
    this.#byHash = new Map(all.map((block) => [hashKey(block.hash), block]));
    this.#shown = new ShownTargets(rules);
    this.#random = random;
    this.#trusted = trusted.map(trustedBlockOf);
  }

  /** Choices of blocks that were tried. */
  get tried(): number {
    return this.#shown.tried;
  }

  /** Targets, in random order, that a client accepts. @param isMeant which are tried */
  accepted(isMeant: (block: Block) => boolean): readonly Block[] {
    const targets = this.#random.shuffled(this.#all.filter(isMeant)).slice(0, maxTargets);
    return targets.filter((target) => this.#trusted.some((trusted) => this.#isAccepted(trusted, target)));
  }

  #isAccepted(trusted: TrustedBlock, target: Block): boolean {
    if (target.number <= trusted.number) return false;
    const parent = this.#byHash.get(hashKey(target.parents[0]!));
    if (parent === undefined) return false;
    const needed = hashKey(parent.hash) === hashKey(trusted.hash) ? [target] : [parent, target];
    return this.#choices(target).some((choice) => {
      const others = choice.filter((block) => !needed.includes(block) && block.number >= target.number);
      return this.#shown.accepts(trusted, target, [...needed, ...others]);
    });
  }

  /** Views that hide what does not suit: second blocks, later blocks, validators, anything. */
  #choices(target: Block): readonly (readonly Block[])[] {
    const random = this.#random;
    const above = this.#all.filter(({ number }) => number >= target.number);
    const oneSided = () => [
      ...new Map(
        random.shuffled(above).map((block) => [`${hashKey(block.sender)} ${block.sequenceNumber}`, block]),
      ).values(),
    ];
    const supporting = this.#supporters(target, above);
    const onePer = [
      ...new Map(
        random.shuffled(supporting).map((block) => [`${hashKey(block.sender)} ${block.sequenceNumber}`, block]),
      ).values(),
    ];
    const share = 0.3 + 0.6 * random.unit();
    return [above, supporting, onePer, oneSided(), oneSided(), onePer.filter(() => random.chance(share))];
  }

  #supporters(target: Block, above: readonly Block[]): readonly Block[] {
    const keys = new Set([hashKey(target.hash)]);
    const ascending = [...above].sort((one, other) => Number(one.number - other.number));
    return ascending.filter(({ hash, parents }) => {
      if (keys.has(hashKey(parents[0]!))) keys.add(hashKey(hash));
      return keys.has(hashKey(hash));
    });
  }
}
