import { describe, expect, it } from 'vitest';
import { chooseDataDir } from './choose-data-dir.ts';

type Circumstances = Parameters<typeof chooseDataDir>[0];

const CLOSED = [{ path: '/root', mode: 0o700 }];
const ROOT: Circumstances = {
  configuredDir: '/x/.longshore',
  isRoot: true,
  ancestors: [{ path: '/x', mode: 0o755 }],
  fallbackRoot: '/var/lib/longshore',
  existing: { kind: 'none' },
};

describe('chooseDataDir', () => {
  it.each<[string, Partial<Circumstances>, object]>([
    ['an ordinary user', { isRoot: false }, { kind: 'configured', mode: 0o700 }],
    [
      'an ordinary user below an inaccessible folder',
      { isRoot: false, ancestors: CLOSED },
      { kind: 'configured', mode: 0o700 },
    ],
    ['root', {}, { kind: 'configured', path: '/x/.longshore', mode: 0o711 }],
    [
      'root below an inaccessible folder',
      { ancestors: CLOSED },
      { kind: 'relocated', mode: 0o711 },
    ],
    [
      'root with a relocated data directory, though the folder is accessible now',
      { existing: { kind: 'relocated', path: '/var/lib/longshore/1' } },
      { kind: 'relocated', path: '/var/lib/longshore/1' },
    ],
    [
      'root whose data directory became inaccessible after the first start',
      { ancestors: CLOSED, existing: { kind: 'configured' } },
      {
        kind: 'inaccessible',
        message: expect.stringContaining('LONGSHORE_DATA_DIR is below /root'),
      },
    ],
  ])('decides for %s', (_, difference, expected) => {
    expect(chooseDataDir({ ...ROOT, ...difference })).toMatchObject(expected);
  });

  it('gives each configured directory a separate path below the fallback root', () => {
    const paths = ['/x/.longshore', '/y/.longshore'].map((configuredDir) =>
      chooseDataDir({ ...ROOT, ancestors: CLOSED, configuredDir }),
    );
    const path = expect.stringMatching(/^\/var\/lib\/longshore\/[0-9a-f]{12}$/);
    expect(paths).toEqual([expect.objectContaining({ path }), expect.objectContaining({ path })]);
    expect(paths[0]).not.toEqual(paths[1]);
  });
});
