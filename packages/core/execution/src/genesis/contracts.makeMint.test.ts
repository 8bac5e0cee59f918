import { checkContract } from "../testing/checkContract.js";

checkContract({
  file: "MakeMint.rho",
  contracts: ["Registry.rho", "NonNegativeNumber.rho", "MakeMint.rho"],
  alsoOnRecorded: true,
});
