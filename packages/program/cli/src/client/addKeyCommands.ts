import type { Command } from "commander";
import { beginCommand, defineLocalCommand } from "./beginCommand.js";
import type { CommandHost } from "./CommandHost.js";
import { addKeyOptions } from "./options.js";

const answers = () => import("./keyAnswers.js");

/** Commands for keys; none of them shows a private one. @spec 10 §1.2, §1.5, §1.6 */
export function addKeyCommands(vedette: Command, host: CommandHost): void {
  const keys = vedette.command("keys").description("create keys, and show public keys and addresses");
  const generate = beginCommand(keys, host, {
    name: "generate",
    summary: "create a key file that only you can read",
    example: "keys generate my.key",
  }).argument("[file]", "path of the key file", "vedette.key");
  defineLocalCommand(generate, host, async () => {
    const { generate: run } = await answers();
    return (_host, _options, file) => run(file ?? "vedette.key");
  });

  const publicKey = beginCommand(keys, host, {
    name: "public",
    summary: "show the public key of a private key",
    example: "keys public my.key",
  }).argument("[file]", "file of the private key (default: the key of the options or the environment)");
  defineLocalCommand(addKeyOptions(publicKey), host, async () => (await answers()).publicKey);

  const address = beginCommand(keys, host, {
    name: "address",
    summary: "show the vault address of a key, or check an address",
    example: "keys address my.key",
  }).argument("[what]", "file of a private key, public key, Ethereum address, or vault address");
  defineLocalCommand(addKeyOptions(address), host, async () => (await answers()).address);

  const keygen = beginCommand(vedette, host, {
    name: "keygen",
    summary: "create a key pair, encrypted with a password",
    example: "keygen ./keys",
  }).argument("[folder]", "folder for rnode.key, rnode.pub.pem and rnode.pub.hex", ".");
  defineLocalCommand(keygen, host, async () => {
    const { keygen: run } = await answers();
    return (own, _options, folder) => run(own, folder ?? ".");
  });
}
