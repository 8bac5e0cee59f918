import { areRecordingsThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { checkContestedRounds } from "../testing/contestedRounds.js";
import { ownBeginning, recordedBeginning } from "../testing/F1r3nodeTestNetwork.js";

test("three hundred blocks of three validators that contest a cell are valid for all", async () => {
  const { blocks, lastFinalized } = await checkContestedRounds(ownBeginning(), { rounds: 100, afterwards: 0 });
  expect(blocks).toBe(301);
  expect(lastFinalized).toBeGreaterThan(90);
});

test("thirty contested rounds end with each deploy in the state once", async () => {
  const { blocks, count, rejections } = await checkContestedRounds(ownBeginning(), { rounds: 30, afterwards: 30 });
  expect(blocks).toBe(181);
  expect(rejections.deploys).toBeGreaterThan(30);
  expect(count).toBe(90n);
});

if (areRecordingsThere)
  test("so do ten on a recorded genesis", async () => {
    const trial = { rounds: 10, afterwards: 20 };
    const { blocks, count, rejections, lastFinalized } = await checkContestedRounds(recordedBeginning(), trial);
    expect(blocks).toBe(91);
    expect(rejections.deploys).toBeGreaterThan(10);
    expect(lastFinalized).toBeGreaterThan(25);
    expect(count).toBe(30n);
  });
