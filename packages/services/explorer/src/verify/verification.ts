import { node } from "../data/node.js";
import { liveChain } from "../data/useChain.js";
import type { Finding, Lie } from "./Finding.js";
import type { Progress, Verifier } from "./Verifier.js";

/** The pages' view of the verification. */
export interface VerificationView {
  readonly isOn: boolean;
  readonly progress: Progress | undefined;
  /** Every one since the page was opened. */
  readonly lies: readonly Lie[];
}

const switchName = "vedette-verify";
const maxLies = 50;
/** Updates cost the node work. */
const pauseMs = 5_000;

/** The one verification of a page: its code is loaded when something is to be checked. */
class Verification {
  #view: VerificationView = { isOn: readSwitch(), progress: undefined, lies: [] };
  #verifier: Promise<Verifier> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #readers = new Set<() => void>();

  readonly view = (): VerificationView => this.#view;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  /** Whether pages check by themselves what they show; kept in this browser. */
  turn(isOn: boolean): void {
    try {
      localStorage.setItem(switchName, isOn ? "on" : "off");
    } catch {
      // It holds until the page is closed.
    }
    this.#change({ isOn });
  }

  /** Loads the verifier, which follows the chain from then on. */
  verifier(): Promise<Verifier> {
    this.#verifier ??= this.#load();
    return this.#verifier;
  }

  /** Records a finding, so that its lies are shown on every page. */
  report({ lies }: Pick<Finding, "lies">): void {
    const known = new Set(this.#view.lies.map((lie) => JSON.stringify(lie)));
    const added = lies.filter((lie) => !known.has(JSON.stringify(lie)));
    if (added.length > 0) this.#change({ lies: [...added, ...this.#view.lies].slice(0, maxLies) });
  }

  /** Begins anew, with another trusted start or a chain that was set back. */
  async restart(...trust: Parameters<Verifier["restart"]>): Promise<void> {
    const verifier = await this.verifier();
    verifier.restart(...trust);
    this.#change({ lies: [] });
    await this.#update(verifier);
  }

  /** The chain was set back on purpose: what was verified above its trusted start is forgotten. */
  async goBack(): Promise<void> {
    const verifier = await this.verifier();
    const { trust } = verifier.progress;
    await this.restart(trust?.checkpoint, trust?.origin ?? "firstUse");
  }

  /** Goes on to the newest block that the node shows to be final. */
  async follow(): Promise<void> {
    await this.#update(await this.verifier());
  }

  async #load(): Promise<Verifier> {
    const { createVerifier } = await import("./createVerifier.js");
    const verifier = createVerifier(node, () => this.#change({ progress: verifier.progress }));
    liveChain.subscribe(() => {
      if (this.#view.isOn) this.#timer ??= setTimeout(() => void this.#update(verifier), pauseMs);
    });
    return verifier;
  }

  async #update(verifier: Verifier): Promise<void> {
    this.#timer = undefined;
    this.report(await verifier.follow());
  }

  #change(part: Partial<VerificationView>): void {
    this.#view = { ...this.#view, ...part };
    for (const reader of this.#readers) reader();
  }
}

export const verification = new Verification();

function readSwitch(): boolean {
  try {
    return globalThis.localStorage?.getItem(switchName) !== "off";
  } catch {
    return true;
  }
}
