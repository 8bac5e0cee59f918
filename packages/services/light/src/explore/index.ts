export {
  type ExploreOptions,
  type RegistryEntry,
  type VerifiedEntry,
  type VerifiedExploration,
  VerifiedExplorer,
  type VerifiedName,
} from "./VerifiedExplorer.js";
