import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { imageTag, LABELS, labelFilter, releaseOfTag } from './ownership.ts';

const owner = { installation: randomUUID() };
const other = { installation: randomUUID() };
const appId = randomUUID();

it('recognises tags of its own images only', () => {
  expect(releaseOfTag(owner, imageTag(owner, appId, 12))).toEqual({ appId, number: 12 });
  for (const tag of [
    imageTag(other, appId, 12),
    `${imageTag(owner, appId, 12)}x`,
    `registry.example.com/${imageTag(owner, appId, 12)}`,
    'nginx:latest',
    'longshore:1',
    '<none>:<none>',
  ]) {
    expect(releaseOfTag(owner, tag)).toBeUndefined();
  }
});

it('always filters by its installation', () => {
  expect(JSON.parse(labelFilter(owner, { [LABELS.app]: appId }, { type: ['container'] }))).toEqual({
    type: ['container'],
    label: [`${LABELS.installation}=${owner.installation}`, `${LABELS.app}=${appId}`],
  });
});
