export { type ExploreOptions, type VerifiedExploration, VerifiedExplorer } from "./VerifiedExplorer.js";
