import { foundLedgerNetwork } from "./foundNetwork.js";
import { foundRholangNetwork } from "./foundRholangNetwork.js";
import { drawScenario } from "./Scenario.js";
import { Simulation, type SimulationResult } from "./Simulation.js";
import type { SimulationRequest } from "./SimulationRequest.js";

/** Runs one seed. @param print is given every event */
export async function simulate(request: SimulationRequest, print?: (line: string) => void): Promise<SimulationResult> {
  const scenario = drawScenario(request);
  const founded = request.execution === "real" ? foundRholangNetwork(scenario) : foundLedgerNetwork(scenario);
  return new Simulation(scenario, founded, print).run();
}
