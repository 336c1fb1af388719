import { expect, it } from 'vitest';
import { parseMountPoints } from './mount-table.ts';

it('reads mount points with and without optional fields, and unescapes them', () => {
  const mountInfo = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '36 27 7:0 / /data/my\\040apps\\134x rw,nosuid shared:7 master:2 - ext4 /dev/loop0 rw',
    '',
  ].join('\n');
  expect(parseMountPoints(mountInfo)).toEqual(['/', '/data/my apps\\x']);
});
