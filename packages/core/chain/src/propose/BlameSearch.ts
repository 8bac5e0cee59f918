import { type Deploy, hashKey } from "@vedette/protocol";

/**
 * Finds the deploy with which the own blocks are not valid, as where it is executed otherwise the second time.
 *
 * Blocks are made of half as many deploys until one is left. That one is to blame only where a block without it was
 * valid and a further one with it alone was not: what a machine or a chain suffers from is no deploy's fault.
 *
 * @spec 40 §9.5
 */
export class BlameSearch {
  #most: number | undefined;
  #suspect: string | undefined;

  /** Most deploys of the next block; `undefined`: nothing is searched for. */
  get most(): number | undefined {
    return this.#most;
  }

  /** `hashKey` of the signature of the only deploy that the next block may have. */
  get only(): string | undefined {
    return this.#most === 1 ? this.#suspect : undefined;
  }

  /** The block was valid, or there was no reason for one without deploys. */
  noteValid(): void {
    if (this.#suspect !== undefined && this.#most === 0) this.#most = 1;
    else this.#end();
  }

  /** The block with these deploys was not valid. @returns the one that is to blame for it, where that is certain */
  noteRefused(deploys: readonly Deploy[]): Deploy | undefined {
    const [first] = deploys;
    const key = first === undefined ? undefined : hashKey(first.signature);
    const isCertain = deploys.length === 1 && this.only === key;
    if (first === undefined || isCertain) {
      this.#end();
      return first;
    }
    this.#most = Math.floor(deploys.length / 2);
    this.#suspect = deploys.length === 1 ? key : undefined;
    return undefined;
  }

  #end(): void {
    this.#most = undefined;
    this.#suspect = undefined;
  }
}
