import type { LinkConditions, SimulatedNetwork } from "../network/SimulatedNetwork.js";
import type { SimulatedNode } from "../node/SimulatedNode.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";
import type { InjectedFault } from "./PlannedFault.js";

/** The targets of the faults. */
export interface FaultInjectorOptions {
  readonly time: VirtualTime;
  readonly network: SimulatedNetwork;
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  /** Called with the name of a node that did not stop on request. */
  readonly stopsLate: (name: string) => void;
}

/** Brings about what is planned, and ends it in time. */
export class FaultInjector {
  readonly #use: FaultInjectorOptions;
  readonly #owner: Owner = { name: "fate", isAlive: true };
  readonly #mend = new Set<() => void>();
  readonly #usual: LinkConditions;

  constructor(use: FaultInjectorOptions) {
    this.#use = use;
    this.#usual = { ...use.network.linkConditions };
  }

  injectFault(injectedFault: InjectedFault): void {
    const { network, nodes } = this.#use;
    switch (injectedFault.kind) {
      case "kill":
        nodes.get(injectedFault.node)?.kill(injectedFault.forMs);
        return;
      case "stop":
        nodes.get(injectedFault.node)?.stop(injectedFault.forMs, () => this.#use.stopsLate(injectedFault.node));
        return;
      case "powerCut":
        nodes.get(injectedFault.node)?.cutPower(injectedFault.forMs);
        return;
      case "disk": {
        const { node, environment, fault, after, times } = injectedFault;
        const isCrash = fault.startsWith("crash");
        nodes.get(node)?.disk.plan({ environment, fault, after, times: isCrash ? 1 : times });
        return;
      }
      case "partition":
        this.#partition(injectedFault.side, injectedFault.forMs);
        return;
      case "cut":
        this.#until(injectedFault.forMs, this.#cut(injectedFault.from, injectedFault.to));
        return;
      case "storm": {
        const { dropProbability, reorderDelayMs } = injectedFault;
        Object.assign(network.linkConditions, { dropProbability, reorderDelayMs, reorderProbability: 0.3 });
        this.#until(injectedFault.forMs, () => Object.assign(network.linkConditions, this.#usual));
        return;
      }
      case "clock": {
        const facts = nodes.get(injectedFault.node)?.facts;
        if (facts !== undefined) facts.clockMs += injectedFault.byMs;
        return;
      }
      case "fill": {
        const disk = nodes.get(injectedFault.node)?.disk;
        if (disk === undefined) return;
        disk.freeBytes = injectedFault.freeBytes;
        this.#until(injectedFault.forMs, () => disk.empty());
        return;
      }
      case "flip":
        nodes.get(injectedFault.node)?.disk.flip({ ...injectedFault });
        return;
      case "lag": {
        const facts = nodes.get(injectedFault.node)?.facts;
        if (facts !== undefined) facts.readersLagUntilMs = this.#use.time.nowMs + injectedFault.forMs;
        return;
      }
      case "poison": {
        const id = nodes.get(injectedFault.node)?.facts.peer.id;
        if (id !== undefined) this.#until(injectedFault.forMs, network.poison(id, injectedFault.strangers));
        return;
      }
    }
  }

  /** All is well from now on: nothing is lost, nothing is cut, every node is started. */
  end(): void {
    const { network, nodes } = this.#use;
    for (const mend of this.#mend) mend();
    this.#mend.clear();
    Object.assign(network.linkConditions, this.#usual, { dropProbability: 0 });
    for (const node of nodes.values()) {
      // A node that could not write has to be started again.
      const hasFailed = node.disk.failures > 0;
      node.disk.heal();
      node.disk.failures = 0;
      node.facts.readersLagUntilMs = 0;
      node.facts.clockMs = Math.max(-1_500, Math.min(1_500, node.facts.clockMs));
      if (hasFailed) node.kill(0);
    }
  }

  #partition(side: readonly string[], forMs: number): void {
    const others = [...this.#use.nodes.keys()].filter((name) => !side.includes(name));
    const mends = side.flatMap((one) => others.flatMap((other) => [this.#cut(one, other), this.#cut(other, one)]));
    this.#until(forMs, () => {
      for (const mend of mends) mend();
    });
  }

  #cut(from: string, to: string): () => void {
    const { network, nodes } = this.#use;
    const [one, other] = [nodes.get(from), nodes.get(to)];
    if (one === undefined || other === undefined) return () => {};
    return network.cut(one.facts.peer.id, other.facts.peer.id);
  }

  #until(ms: number, mend: () => void): void {
    this.#mend.add(mend);
    this.#use.time.after(ms, this.#owner, "mends", () => {
      if (!this.#mend.delete(mend)) return;
      mend();
    });
  }
}
