export { type Check, SimulationFailure } from "./checks/SimulationFailure.js";
export { drawScenario, type Scenario, type SimulationRequest } from "./run/Scenario.js";
export type { Outcome } from "./run/Simulation.js";
export { simulate } from "./run/simulate.js";
