export type { Diagnosis } from "./Diagnosis.js";
export { examine } from "./examine.js";
