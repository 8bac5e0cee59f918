import { dropOldest, errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import {
  type ApprovedBlockCandidate,
  type BlockApproval,
  candidateDigest,
  encodePacket,
  hashKey,
  type UnapprovedBlock,
} from "@vedette/protocol";
import type { GenesisPort } from "../ports/GenesisPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";

/** The parts that a validator of a ceremony works with. @spec 40 §3.3 */
export interface GenesisValidatorOptions {
  readonly genesis: GenesisPort;
  /** The master of the ceremony. Candidates of other peers are ignored. */
  readonly bootstrap: Peer;
  readonly peers: PeersPort;
  readonly emit: EmitSyncEvent;
}

interface Candidate {
  readonly key: string;
  readonly candidate: ApprovedBlockCandidate;
  readonly peer: Peer;
}

/** A master that begins anew has another candidate each time; of older ones nothing needs to be known. */
const rememberedVerdicts = 16;

/**
 * A validator of the network's first hour: checks the candidate for genesis and approves it.
 *
 * It goes on so until the node has begun with an approved block, while `Initializing` waits for that: rnode
 * looks at one candidate only, and is lost when its approval is, or when the master begins anew.
 *
 * @spec 40 §3.3, §10.3
 */
export class GenesisValidator {
  readonly #options: GenesisValidatorOptions;
  /** `undefined`: refused. */
  readonly #verdicts = new Map<string, BlockApproval | undefined>();
  #checked: Candidate | undefined;
  /** The newest candidate that came while another one is being checked. */
  #next: Candidate | undefined;
  #isClosed = false;

  constructor(options: GenesisValidatorOptions) {
    this.#options = options;
  }

  /** Whether a candidate of this peer is worth reading. */
  wantsFrom(peer: Peer): boolean {
    return !this.#isClosed && peer.id === this.#options.bootstrap.id;
  }

  /** Takes a candidate; what is known already is not checked again. @spec 40 §3.3 */
  handle({ candidate }: UnapprovedBlock, peer: Peer): void {
    if (!this.wantsFrom(peer)) return;
    const key = hashKey(candidateDigest(candidate));
    if (this.#checked?.key === key) {
      this.#options.emit({ type: "candidateRepeated", hash: candidate.block.hash });
      return;
    }
    const verdict = this.#verdicts.get(key);
    // The first approval may have been lost.
    if (verdict !== undefined) this.#answer(verdict, peer);
    if (this.#verdicts.has(key)) return;
    this.#next = { key, candidate, peer };
    if (this.#checked === undefined) void this.#checkAll();
  }

  /** Ends the part; a check under way has no effect any more. */
  close(): void {
    this.#isClosed = true;
    this.#next = undefined;
  }

  async #checkAll(): Promise<void> {
    for (let one = this.#next; one !== undefined; one = this.#next) {
      this.#next = undefined;
      this.#checked = one;
      await this.#check(one);
      this.#checked = undefined;
    }
  }

  async #check({ key, candidate, peer }: Candidate): Promise<void> {
    const { genesis, emit } = this.#options;
    emit({ type: "candidateReceived", hash: candidate.block.hash, peer });
    try {
      const reason = await genesis.checkCandidate(candidate);
      if (this.#isClosed) return;
      const approval = reason === undefined ? genesis.approve(candidate) : undefined;
      this.#remember(key, approval);
      if (approval === undefined) emit({ type: "candidateRefused", peer, reason: reason ?? "" });
      else this.#answer(approval, peer);
    } catch (error) {
      // The machine failed, not the candidate: it is checked again when it comes again.
      const reason = errorText(error);
      if (!this.#isClosed) emit({ type: "candidateRefused", peer, reason });
    }
  }

  #answer(approval: BlockApproval, peer: Peer): void {
    const { peers, emit } = this.#options;
    peers.stream(peer, "BlockApproval", () => encodePacket("BlockApproval", approval));
    emit({ type: "candidateApproved", peer });
  }

  #remember(key: string, approval: BlockApproval | undefined): void {
    this.#verdicts.set(key, approval);
    dropOldest(this.#verdicts, rememberedVerdicts);
  }
}
