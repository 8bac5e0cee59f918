// Deploys a contract, calls it in a second deploy, and reads its answer.
//
//   npm start                                   # in another terminal; shows keys
//   VEDETTE_PRIVATE_KEY=<a key> node examples/dist/callContract.js [<number>]
import { HttpClient, RhoUri, rholang, Wallet } from "@vedette/client";
import { keyOfEnvironment, observerUrl, validatorUrl } from "./surroundings.js";

const number = BigInt(process.argv[2] ?? "12");
// A public name with the time in it, so that no other contract listens on it.
const name = `double ${Date.now()}`;
const deployId = new RhoUri("rho:rchain:deployId");
const wallet = new Wallet({
  key: keyOfEnvironment(),
  validator: new HttpClient(validatorUrl),
  read: new HttpClient(observerUrl),
  dialect: "rnode",
});

const contract = await wallet.send(rholang`contract @${name}(@n, return) = { return!(2 * n) }`);
await contract.finalized();
console.log(`the contract is final: ${contract.id}`);

const call = await wallet.send(rholang`new out(${deployId}) in { @${name}!(${number}, *out) }`);
const { values, deploy } = await call.finalized();
console.log(`twice ${number} is ${values[0]}; it took ${deploy.cost} phlo`);
