import { checkContract } from "../testing/checkContract.js";

checkContract({ file: "Stack.rho", contracts: ["Registry.rho", "Stack.rho"], alsoOnRecorded: true });
