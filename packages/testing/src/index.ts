export { chainsDirectory, sharedDirectory, vectorsDirectory } from "./recorded.js";
