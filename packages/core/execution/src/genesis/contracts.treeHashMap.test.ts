import { checkContract } from "../testing/checkContract.js";

checkContract({ file: "TreeHashMap.rho", contracts: ["Registry.rho"], alsoOnRecorded: true });
