export { type Check, SimulationFailure } from "./checks/SimulationFailure.js";
export { type LightOutcome, simulateLight } from "./light/simulateLight.js";
export { type MixedOutcome, simulateMixed } from "./mixed/simulateMixed.js";
export { drawScenario, type Scenario } from "./run/Scenario.js";
export type { SimulationResult } from "./run/Simulation.js";
export type { SimulationRequest } from "./run/SimulationRequest.js";
export { simulate } from "./run/simulate.js";
