import { describe, expect, it } from 'vitest';
import type { BuildStep } from './build-plan.ts';
import { stepFailure } from './failed-step.ts';

const STEP: BuildStep = {
  kind: 'build',
  label: 'npm run build',
  argv: ['npm', 'run', 'build'],
  advice: 'Enter the build command next build',
};
const WITH_FONTS = { ...STEP, downloadsGoogleFonts: true };

it.each([
  ['npm ERR! Error: getaddrinfo ENOTFOUND github.com', 'github.com'],
  ['FetchError: request failed, reason: getaddrinfo EAI_AGAIN example.com', 'example.com'],
  ["npm ERR!   hostname: 'github.com'", 'github.com'],
  ["  hostname: 'fonts.gstatic.com'", 'fonts.gstatic.com'],
  ['dial tcp: lookup example.com on 10.0.0.1:53: no such host', 'example.com'],
  ['fatal: unable to look up github.com (port 9418) (Name or service not known)', 'github.com'],
  ['curl: (6) Could not resolve host: example.com', 'example.com'],
  ['error: Failed to download https://github.com/astral-sh/x.tar.gz', 'github.com'],
  ["HTTPSConnectionPool(host='example.com', port=443): NameResolutionError(...)", 'example.com'],
  ['[11ty] Bad response for https://api.example.com/users/ada: fetch failed', 'api.example.com'],
  ['Failed to fetch `Geist Mono` from Google Fonts.', 'fonts.googleapis.com'],
])('finds the host in %j: %s', (line, host) => {
  const { advice, ...failure } = stepFailure(['first', line], STEP);
  expect(failure).toEqual({ reason: 'build-failed', fixes: [] });
  expect(advice).toEqual([expect.stringMatching(`^The build downloads from ${host},`)]);
});

it.each([
  [STEP, [STEP.advice]],
  [undefined, []],
])('leaves other failures to the advice of the step', (step, advice) => {
  const expected = { reason: 'build-failed', advice, fixes: [] };
  expect(stepFailure(['Error: Cannot find module'], step)).toEqual(expected);
});

it('names a host that an earlier command could not reach', () => {
  const { advice } = stepFailure(['other'], STEP, 'example.com');
  expect(advice).toEqual([expect.stringContaining('downloads from example.com,')]);
});

it.each(['sh: 1: webpack: not found', 'bash: line 1: webpack: command not found'])(
  'names the program that is missing: %s',
  (line) => {
    const { advice } = stepFailure([line, 'last'], STEP);
    expect(advice).toEqual([expect.stringMatching(/^The program webpack is not installed: /)]);
  },
);

describe('Google Fonts that could not be downloaded', () => {
  it.each([
    ['webpack', 'Failed to fetch `Inter` from Google Fonts.'],
    ['Turbopack', 'next/font: error: Failed to fetch `Geist Mono` from Google Fonts.'],
    [
      'Turbopack, with the files of a font',
      "Module not found: Can't resolve '@vercel/turbopack-next/internal/font/google/font'",
    ],
    [
      'Angular behind a firewall',
      'Inlining of fonts failed. An error has occurred while retrieving https://fonts.googleapis.com/css2?family=Inter over the internet.',
    ],
    ['Angular without internet', 'getaddrinfo EAI_AGAIN fonts.googleapis.com'],
  ])('are offered to be replaced: %s', (_, line) => {
    expect(stepFailure(['first', line], WITH_FONTS)).toEqual({
      reason: 'google-fonts-unreachable',
      advice: [],
      fixes: [{ kind: 'fallback-fonts' }],
    });
  });

  it('are not, if another host could not be reached', () => {
    const { reason, fixes } = stepFailure(['getaddrinfo ENOTFOUND example.com'], WITH_FONTS);
    expect({ reason, fixes }).toEqual({ reason: 'build-failed', fixes: [] });
  });
});
