import { testGenesis } from "@vedette/node/testing";
import { type Mix, makeMixedChain } from "./mixedChain.js";

// A program of its own, since what runs tests starts no threads from sources: a folder, how many blocks, and
// what is in them.
const [dataDir, blocks, mix = "mixed"] = process.argv.slice(2) as [string, string, Mix?];
const wallets = Object.fromEntries(["u1", "u2", "u3", "u4"].map((user) => [user, 1_000_000_000_000n]));
const genesis = await testGenesis({ bonds: { v1: 1_000n, v2: 1_000n, v3: 1_000n }, wallets });
await makeMixedChain(dataDir, genesis, { blocks: Number(blocks), mix });
