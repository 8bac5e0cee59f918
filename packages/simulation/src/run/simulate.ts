import { foundLedgerNetwork } from "./foundNetwork.js";
import { foundRholangNetwork } from "./foundRholangNetwork.js";
import { drawScenario } from "./Scenario.js";
import { type Outcome, Simulation } from "./Simulation.js";
import type { SimulationRequest } from "./SimulationRequest.js";

/** Runs one seed. @param print is given every event */
export async function simulate(request: SimulationRequest, print?: (line: string) => void): Promise<Outcome> {
  const scenario = drawScenario(request);
  const founded = request.execution === "real" ? foundRholangNetwork(scenario) : foundLedgerNetwork(scenario);
  return new Simulation(scenario, founded, print).run();
}
