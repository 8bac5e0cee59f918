import { seedOfToday } from "./powerCut/seededRandom.js";

/**
 * Cases that take minutes each come by turns, another one each day, so that all tests together end within the hour;
 * with `VEDETTE_TURNS=all` all of them.
 *
 * @param first the place of the case that comes with seed 0; with different ones not all tests turn to the same
 */
export function turnsOfTheDay<Case>(cases: readonly Case[], first = 0): readonly Case[] {
  if (process.env["VEDETTE_TURNS"] === "all") return cases;
  const turn = (seedOfToday() + first) % cases.length;
  return cases.slice(turn, turn + 1);
}
