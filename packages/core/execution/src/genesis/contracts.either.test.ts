import { checkContract } from "../testing/checkContract.js";

checkContract({ file: "Either.rho", contracts: ["Registry.rho", "Either.rho"], alsoOnRecorded: true });
