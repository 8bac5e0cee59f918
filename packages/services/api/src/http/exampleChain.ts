/**
 * The names in the examples, on the chain on which they are tried. Elsewhere they are valid requests too, about unknown
 * things.
 */
export const exampleChain = {
  blockHash: "61be0be7b394975adb42ec9c40864f128b514347ccc068e21ae005b8952456ea",
  earlierBlockHash: "5fc0e86b89435960930a582de50f85c0c604cace07090f5785483a9123a40346",
  deployId:
    "3045022100b8b3dba6c05d363418178103d873e9fa5e36b8e84ad8a25d32c2d0f65c2882c7022049f30e3580c9eab776555073619cc0a604df860e45547c48c391b08953b63122",
  publicKey:
    "0425217eb4d6fdffe9eee8d1bf6b0b5fa61fd870d34ed1d1d19f22f939316e4c4d1e3408f4190da0119ac08ecfcfa844838b57c2d0a9e45d060e6025f656adcb00",
} as const;
