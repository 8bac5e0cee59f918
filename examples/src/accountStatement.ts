// An account: its balance, its last deploys and what became of them, its last transfers.
//
//   npm start                                   # in another terminal; shows addresses
//   node examples/dist/accountStatement.js <address>
import { HttpClient } from "@vedette/client";
import { observerUrl } from "./surroundings.js";

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error("Give an address.");
const observer = new HttpClient(observerUrl);

const [balance] = await observer.balances([address]);
console.log(`${address}: ${balance}`);

const { deploys } = await observer.deploys({ address, limit: 5 });
for (const { deployId, block } of deploys) console.log(`deploy ${deployId.slice(0, 16)}… ${block.status}`);

const { transfers } = await observer.transfers({ address, limit: 5 });
for (const { from, to, amount, isSuccessful } of transfers)
  console.log(
    `${from === address ? `-${amount} to ${to}` : `+${amount} from ${from}`}${isSuccessful ? "" : " (refused)"}`,
  );
