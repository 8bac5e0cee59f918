export { DevError, type DevFailure } from "./DevError.js";
export { type DevSettings, defaultDevSettings } from "./DevSettings.js";
export { runDev } from "./runDev.js";
