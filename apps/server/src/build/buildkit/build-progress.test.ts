import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBuildProgress } from './build-progress.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const log = (vertex: string, text: string) => ({
  logs: [{ vertex, stream: 1, data: Buffer.from(text).toString('base64') }],
});
const step = (digest: string, name: string, more: object = {}) => ({
  vertexes: [{ digest, name, ...more }],
});

function progressOf(...lines: (object | string)[]) {
  const printed: string[] = [];
  const excerpt: string[] = [];
  const progress = createBuildProgress(
    (line) => printed.push(line),
    (line) => excerpt.push(line),
  );
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  progress.push(Buffer.from(`${texts.join('\n')}\n`));
  progress.end();
  return { printed, excerpt, progress };
}

describe('the progress of a build', () => {
  it('prints each step when it starts, once, and the output of its programs', () => {
    const { printed } = progressOf(
      step('a', '[1/2] FROM x'),
      step('a', '[1/2] FROM x', { started: '2026-01-01T00:00:00Z' }),
      step('a', '[1/2] FROM x', { started: '2026-01-01T00:00:00Z', completed: 'later' }),
      step('b', '[2/2] RUN make', { cached: true }),
      log('b', 'one\ntw'),
      log('c', 'of another step\n'),
      log('b', 'o\nlast'),
    );
    expect(printed).toEqual([
      '[1/2] FROM x',
      '[2/2] RUN make (cached)',
      'one',
      'of another step',
      'two',
      'last',
    ]);
  });

  it('prints the name of a step as one line that is not too long', () => {
    const name = `RUN a\n[other]: forged\u001b[2J${'x'.repeat(100_000)}`;
    const [line = '', ...others] = progressOf(step('a', name, { cached: true })).printed;
    expect(others).toEqual([]);
    expect(line).toMatch(/^RUN a \[other\]: forged \[2Jx+ \(cached\)$/);
    expect(line.length).toBeLessThan(20_000);
  });

  it('leaves out what BuildKit does for itself', () => {
    const started = { started: '2026-01-01T00:00:00Z' };
    const { printed } = progressOf(
      step('a', '[internal] load build definition from Dockerfile', started),
      step('b', 'exporting to oci image format', started),
    );
    expect(printed).toEqual([]);
  });

  it('finds the digests of base images in the names of steps, not in output', () => {
    const started = { started: '2026-01-01T00:00:00Z' };
    const { progress, printed } = progressOf(
      step('a', `[build 1/3] FROM docker.io/library/node:24@${DIGEST}`, started),
      step('b', `[2/3] RUN echo FROM x@${DIGEST}`, started),
      log('b', `[1/1] FROM x@${DIGEST}\n`),
    );
    expect(progress.baseDigests()).toEqual([DIGEST]);
    expect(printed[0]).toBe('[build 1/3] FROM docker.io/library/node:24');
  });

  it('keeps the error, and the lines of the Dockerfile before it apart', () => {
    const { printed, excerpt, progress } = progressOf(
      'time="2026-01-01T00:00:00Z" level=warning msg="about itself"',
      'Dockerfile:2',
      '   2 | >>> FLOAT',
      'error: failed to solve: dockerfile parse error on line 2: unknown instruction: FLOAT',
    );
    expect(progress.problem()).toBe('dockerfile parse error on line 2: unknown instruction: FLOAT');
    expect(excerpt).toEqual(['Dockerfile:2', '   2 | >>> FLOAT']);
    expect(printed).toEqual([]);
  });

  it('does not depend on how the bytes are cut', () => {
    const bytes = Buffer.from(
      [step('a', 'ä step', { started: 'now' }), log('a', 'grüße\n'), log('a', 'end')]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const printed: string[] = [];
        const progress = createBuildProgress((line) => printed.push(line));
        const points = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        for (const [index, from] of points.entries()) {
          progress.push(bytes.subarray(from, points[index + 1] ?? from));
        }
        progress.end();
        expect(printed).toEqual(['ä step', 'grüße', 'end']);
      }),
    );
  });

  it('does not throw for arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const progress = createBuildProgress(() => {});
        progress.push(bytes);
        progress.end();
      }),
    );
  });
});
