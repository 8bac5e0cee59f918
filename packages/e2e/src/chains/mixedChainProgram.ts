import { testGenesis } from "@vedette/node/testing";
import { makeMixedChain } from "./mixedChain.js";

// A program of its own, since what runs tests starts no threads from sources: a folder, and how many blocks.
const [dataDir, blocks] = process.argv.slice(2) as [string, string];
const wallets = Object.fromEntries(["u1", "u2", "u3", "u4"].map((user) => [user, 1_000_000_000_000n]));
const genesis = await testGenesis({ bonds: { v1: 1_000n, v2: 1_000n, v3: 1_000n }, wallets });
await makeMixedChain(dataDir, genesis, { blocks: Number(blocks), mix: "mixed" });
