export {
  type ExploreOptions,
  type RegistryEntry,
  type VerifiedEntry,
  type VerifiedExploration,
  VerifiedExplorer,
} from "./VerifiedExplorer.js";
