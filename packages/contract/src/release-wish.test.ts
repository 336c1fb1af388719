import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues, Port } from './app-values.ts';
import { mainPort, needsRelease, originOf, reachedPorts } from './release-wish.ts';

const values = buildAppValues({ env: { A: '1', B: '2' } });
const { source, container } = values;
const image = { ...values, source: { ...source, enabled: false } };

it.each<[boolean, string, Partial<AppValues>]>([
  [true, 'the repository', { source: { ...source, url: 'https://example.com/b.git' } }],
  [true, 'the ref', { source: { ...source, ref: 'next' } }],
  [true, 'the access', { source: { ...source, secretName: 'an-integration' } }],
  [true, 'a variable', { env: { A: '1', B: '3' } }],
  [true, 'one variable less', { env: { A: '1' } }],
  [true, 'the port', { ports: [{ number: 8080, expose: true }] }],
  [true, 'an image in place of a repository', { source: { ...source, enabled: false } }],
  [false, 'the order of the variables', { env: { B: '2', A: '1' } }],
  [false, 'public access', { ports: values.ports.map((port) => ({ ...port, expose: false })) }],
  [false, 'an image that is not used', { container: { ...container, image: 'redis' } }],
  [false, 'the name', { name: 'other' }],
])('needs a new release: %s, for %s', (isNeeded, _, change) => {
  expect(needsRelease(values, { ...values, ...change })).toBe(isNeeded);
});

it('comes from a repository or an image, with the access it needs', () => {
  expect(originOf(values)).toEqual({ kind: 'git', url: source.url, ref: source.ref });
  expect(
    originOf({ ...image, container: { ...container, image: 'redis', pullSecretName: 'hub' } }),
  ).toEqual({ kind: 'image', image: 'redis', integrationId: 'hub' });
});

const shut: Port = { number: 1, expose: false };
const open: Port = { number: 2, expose: true };
it.each<[string, Port[], number | undefined]>([
  ['none', [], undefined],
  ['the only one, though it is shut', [shut], 1],
  ['the first that is open', [shut, open, { number: 3, expose: true }], 2],
])('is reached at %s', (_, ports, main) => {
  expect(mainPort(ports)).toBe(main);
  expect(reachedPorts(ports)).toEqual(
    ports.map(({ number }) => ({ number, expose: number === main })),
  );
});
