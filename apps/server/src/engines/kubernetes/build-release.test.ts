import { expect, it } from 'vitest';
import { releaseImageProblem } from './build-release.ts';

const registry = { host: 'registry.example.com', path: 'team', isInsecure: false };

it.each([
  ['registry.example.com/team/longshore-bob:shop-1', false],
  [`registry.example.com/team/longshore-bob@sha256:${'0'.repeat(64)}`, false],
  ['registry.example.com/team/longshore-ada:shop-1', true],
  ['registry.example.com/team/node:24', true],
  ['other.example.com/team/longshore-bob:shop-1', true],
])('lets ada run %s: %s', (image, isAllowed) => {
  const deps = { registries: { registry, mirror: undefined } };
  expect(releaseImageProblem(image, { ownerId: 'ada' }, deps) === undefined).toBe(isAllowed);
});
