import { describe, expect, it } from 'vitest';
import { findAccount } from './postgres-account.ts';

const ACCOUNTS = [
  'root:x:0:0:root:/root:/bin/bash',
  'longshoreman:x:1001:1001::/home/longshoreman:/bin/sh',
  'longshore:x:999:998::/nonexistent:/usr/sbin/nologin',
  'broken:x',
  '',
].join('\n');

describe('findAccount', () => {
  it.each([
    ['longshore', { uid: 999, gid: 998 }],
    ['nobody', undefined],
    ['broken', undefined],
    ['root', undefined],
  ])('looks up %s', (name, expected) => {
    expect(findAccount(ACCOUNTS, name)).toEqual(expected);
  });
});
