import { systemContracts } from "@vedette/contracts";
import { checkContract } from "../testing/checkContract.js";

checkContract({
  file: "ASIVault.rho",
  contracts: ["Registry.rho", "NonNegativeNumber.rho", "AuthKey.rho", "ASIVault.rho"],
  alsoOnRecorded: true,
});

checkContract({ file: "vaultsAfterGenesis.rho", contracts: systemContracts, alsoOnRecorded: true });
