import { describe, expect, it } from 'vitest';
import { imageFailure } from './image-failure.ts';

const PUBLIC_ONLY = { allowsPrivateNetworks: false };

/** As `buildctl` v0.32.2 prints it for `FROM <image>`. */
const unresolved = (image: string, detail: string) =>
  `${image}: failed to resolve source metadata for ${image}: ${detail}`;

/** Messages of buildctl against real registries, with other hosts. */
it.each([
  ['ghcr.io/ada/app:1: not found', 'image-not-found', undefined],
  [
    'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    'image-refused',
    undefined,
  ],
  [
    'unexpected status from HEAD request to https://ghcr.io/v2/ada/app/manifests/1: 401 Unauthorized',
    'image-refused',
    'The registry responded with 401 Unauthorized',
  ],
  [
    'unexpected status from HEAD request to https://ghcr.io/v2/ada/app/manifests/1: 403 Forbidden\ndenied',
    'image-refused',
    'The registry responded with 403 Forbidden',
  ],
  [
    'unexpected status from HEAD request to https://ghcr.io/v2/ada/app/manifests/1: 429 Too Many Requests',
    'registry-unreachable',
    'The registry responded with 429 Too Many Requests',
  ],
  [
    'unexpected status from HEAD request to https://ghcr.io/v2/ada/app/manifests/1: 500 Internal Server Error',
    'registry-unreachable',
    'The registry responded with 500 Internal Server Error',
  ],
  ['no match for platform in manifest: not found', 'image-wrong-architecture', undefined],
  [
    'failed to copy: httpReadSeeker: failed open: could not fetch content descriptor sha256:4001 (application/vnd.oci.image.config.v1+json) from remote: not found',
    'image-not-found',
    'The registry lacks a part of the image',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": http: server gave HTTP response to HTTPS client',
    'registry-unreachable',
    'The registry uses plain HTTP. Builds need HTTPS, unless it is the LONGSHORE_REGISTRY of the operator',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    'registry-unreachable',
    'The certificate of the registry is not valid',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": dial tcp: lookup ghcr.io on 10.213.0.1:53: no such host',
    'registry-unreachable',
    'The host name of the registry was not found',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": dial tcp 93.184.216.34:443: connect: connection refused',
    'registry-unreachable',
    'The registry refused the connection',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": dial tcp 93.184.216.34:443: i/o timeout',
    'registry-unreachable',
    'The registry did not respond in time',
  ],
  [
    'failed to do request: Head "https://ghcr.io/v2/ada/app/manifests/1": EOF',
    'registry-unreachable',
    'The connection to the registry failed',
  ],
  ['something new', 'registry-unreachable', 'something new'],
])('explains %j', (detail, reason, explanation) => {
  const image = 'ghcr.io/ada/app:1';
  expect(imageFailure(unresolved(image, detail), PUBLIC_ONLY)).toEqual({
    reason,
    image,
    evidence: [`Image: ${image}`, ...(explanation === undefined ? [] : [explanation])],
  });
});

it('names the image by its full name', () => {
  const problem =
    'alpine:9: failed to resolve source metadata for docker.io/library/alpine:9: docker.io/library/alpine:9: not found';
  expect(imageFailure(problem, PUBLIC_ONLY)?.image).toBe('docker.io/library/alpine:9');
});

it('explains the image of a syntax line', () => {
  const problem =
    'failed to resolve source metadata for ghcr.io/ada/syntax:1: ghcr.io/ada/syntax:1: not found';
  expect(imageFailure(problem, PUBLIC_ONLY)).toMatchObject({
    reason: 'image-not-found',
    image: 'ghcr.io/ada/syntax:1',
  });
});

it.each([
  [
    'failed to copy: httpReadSeeker: failed open: could not fetch content descriptor sha256:a5c0 (application/vnd.oci.image.layer.v1.tar) from remote: not found',
    'image-not-found',
    'The registry lacks a part of the image',
  ],
  [
    'failed commit on ref "layer-sha256:59ec": unexpected commit digest sha256:d392, expected sha256:59ec: failed precondition',
    'registry-unreachable',
    'The registry sent a damaged image, or the connection failed',
  ],
])('explains a missing or damaged layer: %s', (detail, reason, explanation) => {
  expect(imageFailure(`failed to compute cache key: ${detail}`, PUBLIC_ONLY)).toEqual({
    reason,
    image: undefined,
    evidence: [explanation],
  });
});

it('explains a refused sign-in', () => {
  const problem =
    'failed to fetch oauth token: unexpected status from GET request to https://auth.docker.io/token?scope=repository%3Ax%3Apull&service=t: 401 Unauthorized: incorrect username or password';
  expect(imageFailure(problem, PUBLIC_ONLY)).toEqual({
    reason: 'image-refused',
    image: undefined,
    evidence: ['The registry responded with 401 Unauthorized'],
  });
});

describe('a registry in a private network', () => {
  const failureAt = (address: string, allowsPrivateNetworks: boolean, query = '') =>
    imageFailure(
      unresolved(
        'registry.lan/x:1',
        `failed to do request: Head "http://registry.lan/v2/x/manifests/1${query}": dial tcp ${address}: connect: connection refused`,
      ),
      { allowsPrivateNetworks },
    );

  it.each([
    ['10.0.0.5:5000', 'The registry at 10.0.0.5 is in a private network'],
    ['169.254.169.254:80', 'The registry at 169.254.169.254 is in a private network'],
    ['127.0.0.1:5000', 'The registry at 127.0.0.1 is on this machine'],
    ['[::1]:5000', 'The registry at ::1 is on this machine'],
  ])('at %s is not allowed', (address, evidence) => {
    expect(failureAt(address, false)).toMatchObject({
      reason: 'source-not-allowed',
      evidence: ['Image: registry.lan/x:1', evidence],
    });
  });

  it('is out of order if the operator allows private networks, but never on this machine', () => {
    expect(failureAt('10.0.0.5:5000', true)?.reason).toBe('registry-unreachable');
    expect(failureAt('127.0.0.1:5000', true)?.reason).toBe('source-not-allowed');
  });

  it('is not blamed for the mirror of the operator', () => {
    expect(failureAt('10.213.0.1:4001', false, '?ns=docker.io')?.reason).toBe(
      'registry-unreachable',
    );
  });
});

it.each([
  'process "/bin/sh -c echo failed to resolve source metadata for x: not found; exit 1" did not complete successfully: exit code: 1',
  'process "/bin/sh -c failed to fetch oauth token: 401" did not complete successfully: exit code: 1',
  'failed to load cache key: Get "http://127.0.0.1:7099/x": dial tcp 127.0.0.1:7099: connect: connection refused',
  'failed to compute cache key: failed to calculate checksum of ref x::y: "/failed to copy: a": not found',
  'failed to load LLB: network.host is not allowed',
  'dockerfile parse error on line 2: unknown instruction: RUM',
  '',
])('leaves other failures alone: %s', (problem) => {
  expect(imageFailure(problem, PUBLIC_ONLY)).toBeUndefined();
});
