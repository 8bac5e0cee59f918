import { checkF1r3nodeContract } from "../testing/checkContract.js";

checkF1r3nodeContract({ file: "TokenMetadata.rho", alsoOnRecorded: true });
checkF1r3nodeContract({ file: "VersionedRegistry.rho", alsoOnRecorded: true });
