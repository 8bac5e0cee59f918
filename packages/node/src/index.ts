export { genesisPortOf } from "./genesis/genesisPort.js";
export { indexLines } from "./observe/indexLines.js";
export { watchConnections, watchNode } from "./observe/watchNode.js";
export { Proposing } from "./propose/Proposing.js";
export type { ProposeSettings } from "./propose/proposeSettings.js";
export { CatchUp } from "./start/CatchUp.js";
export { CurrentEngine } from "./start/CurrentEngine.js";
export { chainRulesOf } from "./start/chainRules.js";
export { runOnGround } from "./start/runOnGround.js";
