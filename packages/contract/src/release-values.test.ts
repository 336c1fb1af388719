import { expect, it } from 'vitest';
import { parseAppValues } from './app-values.ts';
import { pinnedTo, releaseValues } from './release-values.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const values = {
  name: 'shop',
  projectId: '0b2f6c1e-2f3a-4c5d-8e9f-0a1b2c3d4e5f',
  resourceTier: 't1',
  ports: [{ number: 3000, expose: true }],
  publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
  container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: 'hub' },
  source: { enabled: true, url: 'https://example.com/a.git', ref: 'main', secretName: 'key' },
  env: { A: '1' },
  instances: 1,
};
const { source, container } = values;
const withImage = (image: string) => ({
  ...values,
  source: { ...source, enabled: false },
  container: { ...container, image },
});

it('are neither the name nor the addresses nor the sleep of an app', () => {
  expect(Object.keys(releaseValues(values)).sort()).toEqual([
    'container',
    'env',
    'ports',
    'resourceTier',
    'source',
  ]);
});

it('are pinned to a commit, with everything else as it was', () => {
  expect(pinnedTo(COMMIT, values)).toEqual({ ...values, source: { ...source, ref: COMMIT } });
});

it.each([
  ['nginx', `nginx@${DIGEST}`],
  ['nginx:1.27', `nginx:1.27@${DIGEST}`],
  [`nginx@sha256:${'f'.repeat(64)}`, `nginx@${DIGEST}`],
  ['localhost:5000/team/app', `localhost:5000/team/app@${DIGEST}`],
])('of the image %s are pinned to a digest', (image, pinned) => {
  expect(pinnedTo(DIGEST, withImage(image)).container).toEqual({ ...container, image: pinned });
});

it('are still valid once they are pinned', () => {
  const rules = { allowLocalSources: false };
  for (const pinned of [pinnedTo(COMMIT, values), pinnedTo(DIGEST, withImage('nginx:1.27'))]) {
    expect(parseAppValues({ ...values, ...pinned }, rules)).toMatchObject({ ok: true });
  }
});
