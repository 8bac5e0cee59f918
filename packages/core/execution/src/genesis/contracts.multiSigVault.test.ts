import { checkContract } from "../testing/checkContract.js";

checkContract({
  file: "MultiSigASIVault.rho",
  contracts: ["Registry.rho", "NonNegativeNumber.rho", "AuthKey.rho", "ASIVault.rho", "MultiSigASIVault.rho"],
  alsoOnRecorded: true,
});
