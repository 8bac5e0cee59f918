export {
  type RegistryEntry,
  type VerifiedEntry,
  type VerifiedExploration,
  type VerifiedExploreOptions,
  VerifiedExplorer,
  type VerifiedName,
} from "./VerifiedExplorer.js";
