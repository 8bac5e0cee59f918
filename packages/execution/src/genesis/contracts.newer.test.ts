import { checkNewerContract } from "../testing/checkContract.js";

checkNewerContract({ file: "TokenMetadata.rho", alsoOnRecorded: true });
checkNewerContract({ file: "VersionedRegistry.rho", alsoOnRecorded: true });
