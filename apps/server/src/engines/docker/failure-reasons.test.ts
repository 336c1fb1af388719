import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../failure.ts';
import { DockerError, toEngineDown } from './docker-error.ts';
import {
  buildFailureEvidence,
  buildFailureReason,
  isTransient,
  pullFailureReason,
  toStartFailure,
} from './failure-reasons.ts';

describe('reasons for error messages of Docker', () => {
  it.each([
    [
      404,
      'manifest for nginx:nothing not found: manifest unknown: manifest unknown',
      'image-not-found',
    ],
    [
      404,
      'pull access denied for x, repository does not exist or may require docker login',
      'image-refused',
    ],
    [500, 'Head "https://r/v2/x/manifests/1": no basic auth credentials', 'image-refused'],
    [500, 'unauthorized: authentication required', 'image-refused'],
    [
      404,
      'no matching manifest for linux/amd64 in the manifest list entries',
      'image-wrong-architecture',
    ],
    [500, 'write /var/lib/docker/tmp/x: no space left on device', 'disk-full'],
    [500, 'Get "https://r/v2/": dial tcp: lookup r: no such host', 'registry-unreachable'],
    [500, 'toomanyrequests: You have reached your pull rate limit', 'registry-unreachable'],
    [404, 'not found', 'image-not-found'],
  ])('of a pull: %d %s', (status, message, reason) => {
    expect(pullFailureReason(new DockerError(status, message))).toBe(reason);
  });

  it.each([
    [1, "The command '/bin/sh -c make' returned a non-zero code: 1", 'build-failed'],
    [137, "The command '/bin/sh -c make' returned a non-zero code: 137", 'build-out-of-memory'],
    [500, 'executor failed running [/bin/sh -c make]: exit code: 137', 'build-out-of-memory'],
    [500, 'executor failed running [/bin/sh -c make]: exit code: 1', 'build-failed'],
    [500, 'dockerfile parse error line 4: unknown instruction: ECHO', 'build-failed'],
    [500, 'Get "https://registry-1.docker.io/v2/": dial tcp: i/o timeout', 'registry-unreachable'],
    [500, 'mkdir /var/lib/docker/x: no space left on device', 'disk-full'],
  ])('of a build: %d %s', (status, message, reason) => {
    expect(buildFailureReason(new DockerError(status, message))).toBe(reason);
  });

  it.each([
    ["The command '/bin/sh -c make' returned a non-zero code: 3", ['Exit code 3']],
    ['executor failed running [/bin/sh -c make]: exit code: 3', ['Exit code 3']],
    [
      'dockerfile parse error line 2: unknown instruction: FLOAT',
      ['dockerfile parse error line 2: unknown instruction: FLOAT'],
    ],
    [
      'COPY failed: stat shop: file does not exist',
      ['COPY failed: stat shop: file does not exist'],
    ],
    ['conflict: image 0123 is used by somebody-elses-app', []],
  ])('as evidence of a build: %s', (message, evidence) => {
    expect(buildFailureEvidence(new DockerError(500, message))).toEqual(evidence);
  });

  it('names an image without a start command', () => {
    const problem = new DockerError(400, 'No command specified');
    const evidence = ['The image has no start command'];
    expect(toStartFailure(problem, { number: 3 })).toMatchObject({ evidence });
  });

  it.each([
    ['No command specified', 'start-command-missing'],
    ['exec: "shop": executable file not found in $PATH: unknown', 'start-command-missing'],
    ['exec /shop: exec format error', 'image-wrong-architecture'],
    ['No such image: longshore-1/2:3', 'engine-failed'],
  ])('of a start: %s', (message, reason) => {
    expect(toStartFailure(new DockerError(400, message), { number: 3 })).toMatchObject({ reason });
  });

  it.each([
    ['Bind for 127.0.0.1:20000 failed: port is already allocated', true],
    ['network 0123abcd not found', true],
    ['No command specified', false],
  ])('checks whether a start is retried at once: %s', (message, isRetried) => {
    expect(isTransient(new DockerError(500, message))).toBe(isRetried);
  });
});

it.each(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'])(
  'reports socket error %s as engine-down',
  (code) => {
    expect(toEngineDown(Object.assign(new Error('x'), { code }))).toMatchObject({
      reason: 'engine-down',
    });
  },
);

it('returns unknown errors unchanged', () => {
  const problem = new DockerError(500, 'something new');
  expect(toStartFailure(problem, { number: 1 })).toBe(problem);
  expect(toEngineDown(problem)).toBe(problem);
  expect(toEngineDown(problem)).not.toBeInstanceOf(EngineFailure);
});
