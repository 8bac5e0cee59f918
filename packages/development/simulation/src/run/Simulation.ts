import type { ChainRules } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type Block, hashKey, rnode } from "@vedette/protocol";
import { isDiskFull, StoreError } from "@vedette/store";
import { ByzantineValidator } from "../byzantine/ByzantineValidator.js";
import { checkMemory } from "../checks/checkMemory.js";
import { FinalEffects } from "../checks/FinalEffects.js";
import { InvariantChecker } from "../checks/InvariantChecker.js";
import { SimulationFailure } from "../checks/SimulationFailure.js";
import { waitUntilSettled } from "../checks/waitUntilSettled.js";
import { FaultInjector } from "../faults/FaultInjector.js";
import { SimulatedNetwork } from "../network/SimulatedNetwork.js";
import { BlockReader } from "../node/BlockReader.js";
import type { SimulationContext } from "../node/NodeProcess.js";
import { SimulatedNode } from "../node/SimulatedNode.js";
import { SeededRandom } from "../random/SeededRandom.js";
import { Trace } from "../time/Trace.js";
import { VirtualTime } from "../time/VirtualTime.js";
import { Workload } from "../workload/Workload.js";
import { beganMs, type FoundedNetwork, keyOf } from "./foundNetwork.js";
import type { Scenario } from "./Scenario.js";
import type { PlannedNode } from "./SimulationRequest.js";

/** The result of a run. */
export interface SimulationResult {
  /** Hash over all events: the same seed gives the same. */
  readonly trace: string;
  readonly steps: number;
  readonly virtualMs: number;
  readonly blocks: number;
  readonly invalid: number;
  readonly finalHeight: bigint;
  readonly deploys: number;
  readonly lies: number;
  readonly lives: number;
  readonly failure: SimulationFailure | undefined;
}

const looksEvery = 250;
/** Events that may wait at once; a network of nine has some hundred. */
const maxWaitingEvents = 50_000;
/** Blocks and hashes in the queues of one node. */
const maxQueued = 2_000;
/** Below the last final block; what nodes report of the deploys of deeper ones is checked at the end. */
const heightsJudged = 60n;

/** One network from its founding until all is well again. */
export class Simulation {
  readonly scenario: Scenario;
  readonly #founded: FoundedNetwork;
  readonly #trace: Trace;
  readonly #time: VirtualTime;
  readonly #oracle: InvariantChecker;
  readonly #nodes = new Map<string, SimulatedNode>();
  readonly #liars: ByzantineValidator[] = [];
  readonly #workload: Workload;
  readonly #faultInjector: FaultInjector;
  readonly #effects: FinalEffects;
  #failure: SimulationFailure | undefined;
  #stake: bigint | undefined;
  #isOver = false;

  constructor(scenario: Scenario, founded: FoundedNetwork, print?: (line: string) => void) {
    const { seed } = scenario.request;
    this.scenario = scenario;
    this.#founded = founded;
    this.#effects = new FinalEffects({ effectsIn: founded.effectsIn, areKept: scenario.request.rule === "evidence" });
    this.#trace = new Trace(print);
    this.#time = new VirtualTime(new SeededRandom(seed, "time"), this.#trace);
    const network = new SimulatedNetwork(this.#time, new SeededRandom(seed, "network"), { ...scenario.linkConditions });
    const honest = scenario.nodes.filter(isHonestValidator).map(({ keyName }) => hashKey(keyOf(keyName!).publicKey));
    this.#oracle = new InvariantChecker({
      genesis: founded.approved.candidate.block,
      honest: new Set(honest),
      onFinal: (block) => {
        this.#checkTotal(block);
        this.#effects.becomesFinal(block);
      },
    });
    const world = this.#world(network);
    const bootstrap = peerOf(scenario.nodes[0]!);
    for (const planned of scenario.nodes) this.#nodes.set(planned.name, this.#node(planned, world, bootstrap));
    this.#workload = new Workload({
      ...{ time: this.#time, random: new SeededRandom(seed, "users"), programs: founded.programs, beganMs },
      everyMs: scenario.deployEveryMs,
      validators: scenario.nodes.filter(({ role }) => role === "validator").map(({ name }) => this.#nodes.get(name)!),
    });
    this.#faultInjector = new FaultInjector({
      ...{ time: this.#time, network, nodes: this.#nodes },
      stopsLate: (name) => this.#fail(new SimulationFailure("a node stops on request", name)),
    });
  }

  /** Runs until all is well, or until something does not hold. */
  async run(): Promise<SimulationResult> {
    const unhandled = (error: unknown) => this.#onUnhandled(error);
    process.on("unhandledRejection", unhandled);
    try {
      await this.#runWithFaults();
      if (this.#failure === undefined) await this.#runInCalm();
    } catch (error) {
      this.#unforeseen(error);
    } finally {
      // A rejection in the last event is reported in the next turn.
      await new Promise(setImmediate);
      this.#isOver = true;
      for (const node of this.#nodes.values()) node.forget();
      await new Promise(setImmediate);
      process.off("unhandledRejection", unhandled);
    }
    return this.#outcome();
  }

  /** All blocks that were ever signed, also those that no node has. */
  get allBlocks(): readonly Block[] {
    const blocks = [...this.#oracle.blocks, ...this.#liars.flatMap(({ forged }) => forged)];
    return [...new Map(blocks.map((block) => [hashKey(block.hash), block])).values()];
  }

  /** The last block that any honest node finalized. */
  get lastFinal(): Block {
    return this.#oracle.top;
  }

  async #runWithFaults(): Promise<void> {
    const { nodes, faults, request } = this.scenario;
    const joining = [...nodes].sort((one, other) => one.startsAtStep - other.startsAtStep);
    const coming = [...faults];
    this.#workload.start();
    this.#changeValidators();
    const calmAtStep = Math.min(request.steps, request.calmAtStep ?? request.steps);
    while (this.#time.steps < calmAtStep && this.#failure === undefined) {
      const { steps } = this.#time;
      while (joining[0] !== undefined && joining[0].startsAtStep <= steps)
        this.#nodes.get(joining.shift()!.name)!.start();
      while (coming[0] !== undefined && coming[0].atStep <= steps)
        this.#faultInjector.injectFault(coming.shift()!.injectedFault);
      if (!(await this.#time.step())) break;
      if (steps % looksEvery === 0) this.#checkBounds();
    }
    for (const { name } of joining) this.#nodes.get(name)!.start();
  }

  async #runInCalm(): Promise<void> {
    this.#faultInjector.end();
    this.#workload.end();
    await waitUntilSettled({
      nodes: this.scenario.nodes
        .filter(({ role }) => role !== "liar" && role !== "twin")
        .map((planned) => ({ planned, node: this.#nodes.get(planned.name)! })),
      ...{ time: this.#time, oracle: this.#oracle, workload: this.#workload, rules: this.#rules() },
      effects: this.#effects,
      look: () => this.#checkBounds(),
      hasFailed: () => this.#failure !== undefined,
    });
  }

  /** One becomes a validator, another one leaves. */
  #changeValidators(): void {
    const owner = { name: "users", isAlive: true };
    const random = new SeededRandom(this.scenario.request.seed, "validators");
    const spare = this.scenario.nodes.find(({ role }) => role === "spare");
    if (spare === undefined) return;
    const stake = Math.ceil(this.scenario.nodes.reduce((sum, one) => sum + one.stake, 0) * 0.04);
    const key = keyOf(spare.keyName!);
    this.#time.after(random.from(2_000, 40_000), owner, "bonds", () =>
      this.#workload.submit(key, this.#founded.bondTerm(stake)),
    );
    this.#time.after(random.from(60_000, 400_000), owner, "unbonds", () =>
      this.#workload.submit(key, this.#founded.unbondTerm),
    );
  }

  #checkBounds(): void {
    if (this.#time.waiting > maxWaitingEvents)
      this.#fail(new SimulationFailure("queues are bounded", `${this.#time.waiting} events wait`));
    for (const node of this.#nodes.values()) {
      const { name, process, disk } = node;
      if (process?.isAlive !== true) continue;
      if (disk.failures > 0) disk.look(() => checkMemory(node, this.#rules()));
      const { waitingBlocks, requestedBlocks, validatableBlocks } = process.engine.value.status();
      if (waitingBlocks + requestedBlocks + validatableBlocks > maxQueued)
        this.#fail(
          new SimulationFailure(
            "queues are bounded",
            `${name}: ${waitingBlocks} blocks wait, ${requestedBlocks} are looked for, ${validatableBlocks} are ready`,
          ),
        );
    }
  }

  #checkFinalStatuses(name: string): void {
    const chain = this.#nodes.get(name)?.process?.chain;
    if (chain !== undefined) this.#effects.checkFinalStatuses(name, chain, heightsJudged);
  }

  #checkTotal(block: Block): void {
    const total = this.#founded.totalIn(block.body.state.postStateHash);
    this.#stake ??= this.#founded.totalIn(this.#founded.approved.candidate.block.body.state.postStateHash);
    if (total !== undefined && total !== this.#stake)
      throw new SimulationFailure("nothing is made or lost", `${total} at height ${block.number}, not ${this.#stake}`);
  }

  #rules(): ChainRules {
    const { maximumParents, threshold } = this.scenario;
    return {
      ...{
        dialect: rnode,
        shardName: "root",
        maximumParents,
        maximumParentDepth: undefined,
        minimumPhloPrice: 1n,
      },
      ...{ faultToleranceThreshold: threshold, finalizationRate: 1, emptyStateHash: this.#founded.emptyStateHash },
    };
  }

  #world(network: SimulatedNetwork): SimulationContext {
    const { checkIntervalMs, synchronyThreshold, request } = this.scenario;
    return {
      ...{ time: this.#time, random: new SeededRandom(request.seed, "nodes"), network, rules: this.#rules() },
      ...{ checkIntervalMs, synchronyThreshold, blocks: new BlockReader(), beganMs },
      executorOf: this.#founded.executorOf,
    };
  }

  #node(planned: PlannedNode, world: SimulationContext, bootstrap: Peer): SimulatedNode {
    const { name, role, keyName, beginning, slowness, clockMs, diskLies } = planned;
    const { request } = this.scenario;
    const { seed } = request;
    const key = keyName === undefined ? undefined : keyOf(keyName);
    const isLying = role === "liar" || role === "twin";
    const random = new SeededRandom(seed, `liar ${name}`);
    const liar =
      isLying && key !== undefined
        ? new ByzantineValidator({ key, random, time: this.#time, owner: { name, isAlive: true } })
        : undefined;
    if (liar !== undefined) this.#liars.push(liar);
    const peer = peerOf(planned);
    const facts = { name, peer, key, bootstrap: peer.id === bootstrap.id ? undefined : bootstrap };
    const guarded = (check: () => void) => {
      try {
        if (!isLying) this.#nodes.get(name)!.disk.look(check);
      } catch (error) {
        this.#unforeseen(error);
      }
    };
    return new SimulatedNode({
      facts: {
        ...facts,
        beginning,
        slowness,
        clockMs,
        readersLagUntilMs: 0,
        hasIndex: request.index === true && key === undefined,
      },
      ...{ world, random: new SeededRandom(seed, `disk ${name}`), diskLies },
      interceptor: role === "liar" ? liar : undefined,
      founding: role === "joiner" ? undefined : this.#founded.approved,
      unforeseen: (error) => this.#unforeseen(error),
      watch: {
        chain: (event) => {
          if (event.type === "blockAdded") this.#trace.note(`${name} adds ${toHex(event.block.hash)}\n`);
          else this.#trace.note(`${name} ${event.type}\n`);
          guarded(() => this.#oracle.onChainEvent(name, event));
          if (event.type === "lastFinalizedChanged") guarded(() => this.#checkFinalStatuses(name));
        },
        sync: (event) => this.#trace.note(`${name} ${event.type}\n`),
        made: (block) => guarded(() => this.#oracle.madeBy(name, block)),
        propose: () => undefined,
      },
    });
  }

  #onUnhandled(error: unknown): void {
    if (this.#isOver) return;
    const owner = this.#time.current?.name ?? "";
    const node = this.#nodes.get(owner);
    // An uncaught exception ends a process; in a process that has ended already it has no effect.
    if (node !== undefined && node.process?.isAlive !== true) return;
    const isOfDisk = error instanceof StoreError || isDiskFull(error);
    if (node !== undefined && node.disk.failures > 0 && isOfDisk) node.kill(0);
    else this.#unforeseen(error);
  }

  #unforeseen(error: unknown): void {
    if (error instanceof SimulationFailure) this.#fail(error);
    else {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#fail(new SimulationFailure("nothing fails unforeseen", `${this.#time.current?.name}: ${detail}`));
    }
  }

  #fail(failure: SimulationFailure): void {
    this.#failure ??= failure;
  }

  #outcome(): SimulationResult {
    const { steps, nowMs: virtualMs } = this.#time;
    const { made: blocks, invalid, top } = this.#oracle;
    return {
      ...{ trace: this.#trace.digest(), steps, virtualMs, blocks, invalid, finalHeight: top.number },
      deploys: this.#workload.accepted.size,
      lies: this.#liars.reduce((sum, { lies }) => sum + lies, 0),
      lives: [...this.#nodes.values()].reduce((sum, { lives }) => sum + lives, 0),
      failure: this.#failure,
    };
  }
}

function isHonestValidator({ role }: PlannedNode): boolean {
  return role === "validator" || role === "spare";
}

function peerOf({ name }: PlannedNode): Peer {
  return { id: Buffer.from(name.padEnd(20)).toString("hex"), host: name, protocolPort: 1, discoveryPort: 2 };
}
