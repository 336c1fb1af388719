import { buildAppValues } from '@longshore/testkit';
import { expect, it } from 'vitest';
import type { AppValues, Port } from './app-values.ts';
import {
  desiredRelease,
  exposeMainPort,
  mainPort,
  needsRelease,
  originOf,
} from './desired-release.ts';

const values = buildAppValues({ env: { A: '1', B: '2' } });
const { source, container } = values;
const image = { ...values, source: { ...source, enabled: false } };

it.each<[boolean, string, Partial<AppValues>]>([
  [true, 'the repository', { source: { ...source, url: 'https://example.com/b.git' } }],
  [true, 'the ref', { source: { ...source, ref: 'next' } }],
  [true, 'the integration', { source: { ...source, secretName: 'an-integration' } }],
  [true, 'a variable', { env: { A: '1', B: '3' } }],
  [true, 'a removed variable', { env: { A: '1' } }],
  [true, 'the port', { ports: [{ number: 8080, expose: true }] }],
  [true, 'an image instead of a repository', { source: { ...source, enabled: false } }],
  [true, 'a build setting', { build: { buildCommand: 'make' } }],
  [true, 'the start command', { run: { command: 'node a.js' } }],
  [true, 'the size', { resourceTier: 't2' }],
  [false, 'the order of the variables', { env: { B: '2', A: '1' } }],
  [false, 'public access', { ports: values.ports.map((port) => ({ ...port, expose: false })) }],
  [false, 'an unused image', { container: { ...container, image: 'redis' } }],
  [false, 'the name', { name: 'other' }],
])('needs a new release: %s for %s', (isNeeded, _, change) => {
  expect(needsRelease(values, { ...values, ...change })).toBe(isNeeded);
});

it('needs another release of an image for the start command, not for build settings', () => {
  expect(needsRelease(image, { ...image, build: { buildCommand: 'make' } })).toBe(false);
  expect(needsRelease(image, { ...image, run: { command: 'serve' } })).toBe(true);
});

it('has the same shape as before for apps without settings', () => {
  expect(desiredRelease(values)).toHaveLength(3);
  const one = { ...values, build: { target: 'a', dockerfile: 'b' } };
  const other = { ...values, build: { dockerfile: 'b', target: 'a' } };
  expect(desiredRelease(one)).toHaveLength(4);
  expect(desiredRelease(one)).toEqual(desiredRelease(other));
});

it('has another shape only for a size that is not the default one', () => {
  const one = { ...values, run: { command: 'node a.js' } };
  expect(desiredRelease({ ...values, resourceTier: 't1' })).toEqual(desiredRelease(values));
  expect(desiredRelease(one)[3]).toBe('{"run":{"command":"node a.js"}}');
  expect(desiredRelease({ ...one, resourceTier: 't2' })[3]).toBe(
    '{"resourceTier":"t2","run":{"command":"node a.js"}}',
  );
});

it('derives the origin from the repository or image and its integration', () => {
  expect(originOf(values)).toEqual({ kind: 'git', url: source.url, ref: source.ref });
  expect(
    originOf({ ...image, container: { ...container, image: 'redis', pullSecretName: 'hub' } }),
  ).toEqual({ kind: 'image', image: 'redis', integrationId: 'hub' });
});

const internal: Port = { number: 1, expose: false };
const exposed: Port = { number: 2, expose: true };
it.each<[string, Port[], number | undefined]>([
  ['none', [], undefined],
  ['the only one, even if it is internal', [internal], 1],
  ['the first exposed one', [internal, exposed, { number: 3, expose: true }], 2],
])('the main port is %s', (_, ports, main) => {
  expect(mainPort(ports)).toBe(main);
  expect(exposeMainPort(ports)).toEqual(
    ports.map(({ number }) => ({ number, expose: number === main })),
  );
});
