// Sends a transfer, and waits until the final state contains it.
//
//   npm start                                   # in another terminal; shows keys and addresses
//   VEDETTE_PRIVATE_KEY=<a key> node examples/dist/sendTransfer.js [<address>] [<amount>]
import { addressOfKey, HttpClient, Wallet } from "@vedette/client";
import { keyOfEnvironment, observerUrl, validatorUrl } from "./surroundings.js";

const key = keyOfEnvironment();
const [payee = addressOfKey(key), amount = "1000"] = process.argv.slice(2);

const observer = new HttpClient(observerUrl);
const wallet = new Wallet({ key, validator: new HttpClient(validatorUrl), read: observer, dialect: "rnode" });
console.log(`${addressOfKey(key)} has ${await wallet.balance()}`);

const transfer = await wallet.transfer(payee, BigInt(amount));
console.log(`deploy ${transfer.id} is on its way`);
const block = await transfer.done();
console.log(`final in block ${block.blockHash}; ${await wallet.balance()} are left`);
