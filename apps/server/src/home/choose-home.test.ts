import { describe, expect, it } from 'vitest';
import { chooseHome } from './choose-home.ts';

type Circumstances = Parameters<typeof chooseHome>[0];

const CLOSED = [{ path: '/root', mode: 0o700 }];
const ROOT: Circumstances = {
  dataDir: '/x/.longshore',
  isRoot: true,
  ancestors: [{ path: '/x', mode: 0o755 }],
  shelter: '/var/lib/longshore',
  earlier: { kind: 'none' },
};

describe('chooseHome', () => {
  it.each<[string, Partial<Circumstances>, object]>([
    ['an ordinary user', { isRoot: false }, { kind: 'data-dir', mode: 0o700 }],
    [
      'an ordinary user below a closed folder',
      { isRoot: false, ancestors: CLOSED },
      { kind: 'data-dir', mode: 0o700 },
    ],
    ['root', {}, { kind: 'data-dir', path: '/x/.longshore', mode: 0o711 }],
    ['root below a closed folder', { ancestors: CLOSED }, { kind: 'elsewhere', mode: 0o711 }],
    [
      'root whose home is elsewhere already, though the folder was opened',
      { earlier: { kind: 'elsewhere', path: '/var/lib/longshore/1' } },
      { kind: 'elsewhere', path: '/var/lib/longshore/1' },
    ],
    [
      'root whose data directory was closed after the first start',
      { ancestors: CLOSED, earlier: { kind: 'data-dir' } },
      { kind: 'closed', message: expect.stringContaining('LONGSHORE_DATA_DIR lies below /root') },
    ],
  ])('decides for %s', (_, difference, expected) => {
    expect(chooseHome({ ...ROOT, ...difference })).toMatchObject(expected);
  });

  it('gives each data directory a path of its own below the shelter', () => {
    const paths = ['/x/.longshore', '/y/.longshore'].map((dataDir) =>
      chooseHome({ ...ROOT, ancestors: CLOSED, dataDir }),
    );
    const path = expect.stringMatching(/^\/var\/lib\/longshore\/[0-9a-f]{12}$/);
    expect(paths).toEqual([expect.objectContaining({ path }), expect.objectContaining({ path })]);
    expect(paths[0]).not.toEqual(paths[1]);
  });
});
