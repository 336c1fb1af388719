import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputOf, readTrace } from './build-output.ts';
import { needsBuildkit } from './run-build.ts';

it.each([
  ['FROM a\nRUN make', false],
  ['FROM a\nCOPY --from=b --chown=1:1 /x /y', false],
  ['FROM a\n# syntax=docker/dockerfile:1', true],
  ['# syntax = docker/dockerfile:1\nFROM a', true],
  ['FROM a\nRUN --mount=type=cache,target=/x make', true],
  ['from a\nrun --network=none make', true],
  ['FROM a\nCOPY --chmod=755 /x /y', true],
  ['FROM a\nCOPY --from=b --link /x /y', true],
  ['FROM a\nRUN <<EOF\nmake\nEOF', true],
  ['FROM a\nRUN echo "--mount"', false],
])('checks whether %j needs BuildKit', (dockerfile, isNeeded) => {
  expect(needsBuildkit(dockerfile)).toBe(isNeeded);
});

/** A field of bytes, short enough for one byte of length. */
const field = (number: number, value: Buffer | string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
};

describe('readTrace', () => {
  it('reads the started steps and the output of their programs', () => {
    const step = Buffer.concat([field(1, 'digest'), field(3, '[1/2] RUN make'), field(5, 'now')]);
    const output = Buffer.concat([
      field(1, 'digest'),
      Buffer.from([0x18, 0x01]),
      field(4, 'made\n'),
    ]);
    const trace = Buffer.concat([field(1, step), field(3, output)]);
    expect(readTrace(trace)).toEqual({
      steps: [{ name: '[1/2] RUN make', isStarted: true, isCached: false, error: '' }],
      output: [Buffer.from('made\n')],
    });
    const line = { id: 'moby.buildkit.trace', aux: trace.toString('base64') };
    expect(outputOf(line).map(String)).toEqual(['[1/2] RUN make\n', 'made\n']);
  });

  it('does not throw for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        readTrace(Buffer.from(bytes));
      }),
    );
  });
});

it.each([
  [{ stream: 'Step 1/2 : FROM a\n' }, ['Step 1/2 : FROM a\n']],
  [{ status: 'Pulling from library/node', id: '24' }, []],
  [{ status: 'Digest: sha256:1' }, ['Digest: sha256:1\n']],
  [{ aux: { ID: 'sha256:1' } }, []],
])('extracts the readable output of %j', (line, printed) => {
  expect(outputOf(line).map(String)).toEqual(printed);
});
