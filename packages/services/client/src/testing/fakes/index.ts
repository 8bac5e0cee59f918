export { type FakeAnswer, FakeHttpNode, type FakeRequest } from "./FakeHttpNode.js";
export { FakeNode, type FakeServices } from "./FakeNode.js";
export { blockFixture, deployFixture, lightBlockFixture } from "./fixtures.js";
