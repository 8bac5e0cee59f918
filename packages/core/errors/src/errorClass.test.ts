import { expect, expectTypeOf, test } from "vitest";
import { errorClass } from "./errorClass.js";

type DoorFailure = { readonly code: "locked"; readonly door: string } | { readonly code: "missing" };

class DoorError extends errorClass("DoorError", sentence) {}
class KeyError extends errorClass("KeyError", sentence) {}

function sentence(failure: DoorFailure, cause: unknown): string {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return failure.code === "locked" ? `${failure.door} is locked${why}: take the key` : "there is no door";
}

test("an error has the name of its class, its failure, and the sentence of it", () => {
  const error = new DoorError({ code: "locked", door: "The gate" });
  expect(error).toBeInstanceOf(Error);
  expect(error).toBeInstanceOf(DoorError);
  expect(error).not.toBeInstanceOf(KeyError);
  expect([error.name, error.message]).toEqual(["DoorError", "The gate is locked: take the key"]);
  expect(error.failure).toEqual({ code: "locked", door: "The gate" });
});

test("a cause is kept and may be in the sentence; without one there is no such property", () => {
  const cause = new RangeError("too dark");
  const error = new DoorError({ code: "locked", door: "The gate" }, { cause });
  expect(error.cause).toBe(cause);
  expect(error.message).toBe("The gate is locked (too dark): take the key");
  expect("cause" in new DoorError({ code: "missing" }, { cause: undefined })).toBe(false);
});

test("the code narrows the failure to its facts, and the name is exact", () => {
  const error = new DoorError({ code: "locked", door: "The gate" });
  expectTypeOf(error.name).toEqualTypeOf<"DoorError">();
  if (error.failure.code === "locked") expectTypeOf(error.failure.door).toEqualTypeOf<string>();
  expectTypeOf<DoorError>().not.toExtend<KeyError>();
});
