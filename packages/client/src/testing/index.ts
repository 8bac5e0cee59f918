export { FakeNode, type FakeServices } from "./FakeNode.js";
export { blockFixture, deployFixture, lightBlockFixture } from "./fixtures.js";
