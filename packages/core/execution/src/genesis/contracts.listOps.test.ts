import { checkContract } from "../testing/checkContract.js";

checkContract({ file: "ListOps.rho", contracts: ["Registry.rho", "ListOps.rho"], alsoOnRecorded: true });
