import { expect, test } from "vitest";
import { jsonbScalar } from "./scalars.js";

test("JSON has no integer that its reader would round", () => {
  const text =
    '[{"stake":9223372036854775807,"share":0.1234567890123456789},{"stake":-9007199254740993},9007199254740991]';
  expect(jsonbScalar.serialize(text)).toEqual([
    { stake: "9223372036854775807", share: 0.12345678901234568 },
    { stake: "-9007199254740993" },
    9_007_199_254_740_991,
  ]);
  expect(jsonbScalar.serialize('{"id":"12345678901234567890","none":null}')).toEqual({
    id: "12345678901234567890",
    none: null,
  });
  expect(jsonbScalar.serialize('[{"stake":5}]')).toEqual([{ stake: 5 }]);
});
