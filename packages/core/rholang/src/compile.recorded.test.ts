import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { sha256, toHex } from "@vedette/crypto";
import { channelHash, encodePar } from "@vedette/terms";
import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { compile } from "./compile.js";

/** SHA-256 of a genesis source → size and hash of its compiled term, by chapter 20 §15.8. */
const compiledGenesisSources: Readonly<Record<string, readonly [size: number, hash: string]>> = {
  cdb0c106e960f1a369eeacde79cfbf64c9f85bb885d839d21966f2c23507fe7c: [
    8325,
    "3d406e83ec625b330e9e3c95118a66358f6d2184ba67b610c62b7ff585f36c78",
  ],
  "932d055cfcf91c52f7a7cda7dc30e60147d42ce70b01dd764ee3787cd0713f2f": [
    1013,
    "041de1c9b38d43e327fe3783827b4103653b5533541c07044e3d1714bbc2327b",
  ],
  "31bc0f9fb4ff7d6b20e98f7c459e733802b1d38bf4cfb1a1a00f358718fff356": [
    9387,
    "37e13566dec625bae566c48362eb5e1886895e68a01178c2bb22bbaa275b55c7",
  ],
  "721bb4117780e8719a691e48d58eef5aa42b90ae1534d0b57312b624ffe4625e": [
    14998,
    "6c4bba51532a3fcd323597fc460851e453d7e289e91d5bc1dfbe93dc9a7fda9a",
  ],
  dcadf2f0e4f7e4c23735a8b680adc66c4f87baa7df974f2487c2c22ddcb90af5: [
    5496,
    "8ac293bdf7e698c941ca99b7f984d5d3fdecbbaf609108eaac6934058f730f5d",
  ],
  "129584318a0a889c3e4850ce0e4a6e066bde53099e49154260c7598b4b0b9651": [
    8976,
    "61649da272ce77b9ead5d477b07f62c21714c26aa16e13aec3156ac81c66ef6a",
  ],
  "1ac965a90340bd0cb3649dab668a7dfc4852396c52e85a8544a839d860ca0be4": [
    2133,
    "f86f1cdfead14e69ff102847ca9218b5136b9542b9792830a513eca79c9ada50",
  ],
  "40f3ce80ad9d08e1fb1074c941d73e4f4366ec74c38de757a70bcfee342d61e4": [
    15595,
    "f59306acbfe51817609dd310b74565b8b434dbd63980c59f7b7f2d94345a85dd",
  ],
  "61e109092b9775094b85491c556052822b3c01a22bfd44547fc618617a9e60b1": [
    3007,
    "a7705b3e41c93fa74aee6e20ee33a423b9cb525190857c49d5e232562e379b76",
  ],
};

const directory = recordedDirectory("chains");
test("the genesis contracts compile to the terms of chapter 20 §15.8", () => {
  const compiled: Record<string, readonly [number, string]> = {};
  for (const source of genesisSources(join(directory, "solo", "blocks.bin"))) {
    const key = toHex(sha256(new TextEncoder().encode(source)));
    const par = compile(source);
    if (key in compiledGenesisSources) compiled[key] = [encodePar(par).length, toHex(channelHash(par))];
  }
  expect(compiled).toEqual(compiledGenesisSources);
});

/** The program texts in the first block of a chain: block → body (3) → deploys (2) → deploy (1) → term (2). */
function genesisSources(path: string): string[] {
  const file = openSync(path, "r");
  const length = Buffer.alloc(4);
  readSync(file, length, 0, 4, 0);
  const block = Buffer.alloc(length.readUInt32BE(0));
  readSync(file, block, 0, block.length, 4);
  closeSync(file);
  const deploys = fields(block, 3)
    .flatMap((body) => fields(body, 2))
    .flatMap((processed) => fields(processed, 1));
  return deploys.flatMap((deploy) => fields(deploy, 2)).map((term) => withoutEnvelope(new TextDecoder().decode(term)));
}

/** A source as it lies in its file: the deploy has a comment line more in front, and a line break behind. */
function withoutEnvelope(term: string): string {
  return term.replace(/^\/\/Loaded from resource file .*\n/, "").replace(/\n$/, "");
}

/** All length-delimited fields of this number. */
function fields(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at]!;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if (tag % 8 === 0) varint();
    else if (tag % 8 === 2) {
      const size = varint();
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + size));
      at += size;
    } else at += tag % 8 === 1 ? 8 : 4;
  }
  return found;
}
