import { checkContract } from "../testing/checkContract.js";

checkContract({
  file: "AuthKey.rho",
  contracts: ["Registry.rho", "AuthKey.rho"],
  alsoOnRecorded: true,
});
