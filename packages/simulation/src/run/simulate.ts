import { foundLedgerNetwork } from "./foundNetwork.js";
import { drawScenario, type SimulationRequest } from "./Scenario.js";
import { type Outcome, Simulation } from "./Simulation.js";

/** Runs one seed. @param print is given every event */
export async function simulate(request: SimulationRequest, print?: (line: string) => void): Promise<Outcome> {
  const scenario = drawScenario(request);
  return new Simulation(scenario, foundLedgerNetwork(scenario), print).run();
}
