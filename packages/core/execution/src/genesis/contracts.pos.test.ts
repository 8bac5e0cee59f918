import { checkContract } from "../testing/checkContract.js";

checkContract({
  file: "PoS.rho",
  contracts: [
    "Registry.rho",
    "NonNegativeNumber.rho",
    "AuthKey.rho",
    "ASIVault.rho",
    "MultiSigASIVault.rho",
    "PoS.rhox",
  ],
  alsoOnRecorded: true,
});
