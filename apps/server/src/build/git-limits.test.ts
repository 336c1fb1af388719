import { describe, expect, it } from 'vitest';
import { createFetchMeter, createSizeMeter, type GitOutcome, limitFailure } from './git-limits.ts';

const LIMITS = { timeoutMs: 300_000, maxBytes: 1024 ** 3, maxFiles: 1_000 };
const failed: GitOutcome = { kind: 'exited', code: 128 };

describe('limitFailure', () => {
  it.each<[string, GitOutcome, string]>([
    [
      'Git needed more than 384 MiB of memory',
      failed,
      'fatal: Out of memory, malloc failed (tried to allocate 3221225473 bytes)',
    ],
    [
      'Git needed more than 384 MiB of memory',
      failed,
      'fatal: unable to create thread: Cannot allocate memory',
    ],
    [
      'Git needed more than 384 MiB of memory',
      failed,
      'fatal: data too large to fit into virtual memory space',
    ],
    ['Git needed more than 512 MiB of memory', { kind: 'out-of-memory' }, ''],
    ['Git needed more than 512 MiB of memory', { kind: 'killed', signal: 'SIGKILL' }, ''],
    ['Git needed more than 512 MiB of memory', failed, 'error: index-pack died of signal 9'],
    ['Git received more than 1024 MiB', failed, 'fatal: write error: File too large'],
    ['Folders are nested too deeply', { kind: 'exited', code: 139 }, ''],
    [
      'Git did not finish within 300 seconds',
      { kind: 'timed-out' },
      'Receiving objects: 100% (9/9)',
    ],
    [
      'Git did not finish within 300 seconds',
      { kind: 'timed-out' },
      'Resolving deltas:   0% (0/9)',
    ],
  ])('%s: %j %s', (limit, end, text) => {
    const failure = limitFailure({ end, output: text.split('\n'), isOffline: false }, LIMITS);
    expect(failure).toMatchObject({ reason: 'repository-too-large', evidence: [limit] });
  });

  it.each([
    ['repository-unreachable', false, ''],
    ['repository-unreachable', false, 'Receiving objects:  50% (4/9)'],
    ['repository-too-large', true, ''],
  ])('blames time on %s when offline is %s and the output is %j', (reason, isOffline, text) => {
    const end: GitOutcome = { kind: 'timed-out' };
    expect(limitFailure({ end, output: [text], isOffline }, LIMITS)?.reason).toBe(reason);
  });

  it('ignores what the host reports of itself', () => {
    const output = ['remote: fatal: Out of memory', 'remote: died of signal 9'];
    expect(limitFailure({ end: failed, output, isOffline: false }, LIMITS)).toBeUndefined();
  });
});

describe('createFetchMeter', () => {
  it('reports too many objects as soon as git knows their number', () => {
    const meter = createFetchMeter(LIMITS);
    expect(meter('remote: Receiving objects:   0% (1/9000)')).toBeUndefined();
    expect(meter('Receiving objects:   0% (1/2000)')).toBeUndefined();
    expect(meter('Receiving objects:   0% (1/2001)')).toBe(
      'The commit has 2001 objects, at most 2000 are allowed',
    );
  });

  it('reports a host that prints endlessly', () => {
    const meter = createFetchMeter(LIMITS);
    const limits = Array.from({ length: 10_001 }, () => meter('remote: hello'));
    expect(limits.slice(0, -1).every((limit) => limit === undefined)).toBe(true);
    expect(limits.at(-1)).toBe('The git host sent more than 10000 lines');
  });
});

describe('createSizeMeter', () => {
  const id = 'ce013625030ba8dba906f756967f9e9ca394464a';
  const meterLines = (lines: string[]) => {
    const meter = createSizeMeter(LIMITS);
    return lines.map(meter).find((limit) => limit !== undefined);
  };
  const repeated = (count: number, line: string) => Array.from({ length: count }, () => line);

  it('adds the sizes of files, which links to submodules do not have', () => {
    const half = `100644 blob ${id} ${1024 ** 3 / 2}\ta 7 9`;
    const submodule = `160000 commit ${id}       -\tsubmodule`;
    expect(meterLines([half, submodule, half])).toBeUndefined();
    expect(meterLines([half, half, `100644 blob ${id}       1\tb`])).toBe(
      'At most 1024 MiB in 1000 files and folders are allowed',
    );
  });

  it('counts folders, which may be empty', () => {
    const folder = `040000 tree ${id}       -\td`;
    expect(meterLines(repeated(1_000, folder))).toBeUndefined();
    expect(meterLines(repeated(1_001, folder))).toMatch(/^At most/);
  });

  it('limits the length of paths', () => {
    const file = (length: number) => `100644 blob ${id}       6\t${'d'.repeat(length)}`;
    expect(meterLines([file(4_000)])).toBeUndefined();
    expect(meterLines([file(4_200)])).toBe('A path is longer than 4096 bytes');
    const meter = createSizeMeter({ ...LIMITS, maxFiles: 100_000 });
    const limits = repeated(20_000, file(4_000)).map(meter);
    expect(limits.at(-1)).toBe('The paths of all files take more than 64 MiB');
  });
});
