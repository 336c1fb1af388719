import { expect, it } from 'vitest';
import { registryHost } from './build-release.ts';
import { olderVersion } from './docker-api.ts';
import { isUnexpectedChange } from './event-watcher.ts';
import { canRun } from './run-build.ts';

it.each([
  ['nginx', undefined],
  ['team/shop:1', undefined],
  ['localhost/shop', 'localhost'],
  ['localhost:5000/shop', 'localhost'],
  ['LOCALHOST/shop', 'localhost'],
  ['registry.example.com/team/shop:1', 'registry.example.com'],
  ['10.0.0.1:5000/shop@sha256:00', '10.0.0.1'],
])('finds the registry of %s', (image, host) => {
  expect(registryHost(image)).toBe(host);
});

it.each([
  ['1.41', '1.47', '1.41'],
  ['1.52', '1.47', '1.47'],
  ['1.9', '1.47', '1.9'],
  ['2.0', '1.47', '1.47'],
])('uses the older of %s and %s', (serverVersion, clientVersion, expected) => {
  expect(olderVersion(serverVersion, clientVersion)).toBe(expected);
});

it.each([
  ['amd64', 'amd64', true],
  ['amd64', '386', true],
  ['amd64', 'arm64', false],
  ['arm64', 'amd64', false],
  ['amd64', '', true],
])('checks whether %s runs images for %s', (machine, image, runs) => {
  expect(canRun(machine, image)).toBe(runs);
});

it.each([
  ['die', true, true],
  ['destroy', true, true],
  ['start', false, false],
  ['start', true, true],
  ['exec_start: sh', true, false],
])('checks whether %s is an unexpected change (started before: %s)', (action, isSeen, expected) => {
  expect(isUnexpectedChange(action, isSeen)).toBe(expected);
});
