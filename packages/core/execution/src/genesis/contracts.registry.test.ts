import { systemContracts } from "@vedette/contracts";
import { checkContract } from "../testing/checkContract.js";

checkContract({ file: "Registry.rho", contracts: systemContracts, alsoOnRecorded: true });
checkContract({ file: "RegistryAlone.rho", contracts: ["Registry.rho"], alsoOnRecorded: false });
