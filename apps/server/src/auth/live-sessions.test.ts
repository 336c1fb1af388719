import { expect, it } from 'vitest';
import type { Change, SessionEnd } from '../db/change.ts';
import { createLiveSessions } from './live-sessions.ts';

const ADA = { userId: 'ada', sessionId: 'ada-1' };

function start() {
  const stored = new Set(['ada-1', 'ada-2', 'eve-1']);
  const lookups: string[] = [];
  let notify: (change: Change) => void = () => {};
  const errors: unknown[] = [];
  const live = createLiveSessions({
    async isSignedIn({ sessionId = '' }) {
      lookups.push(sessionId);
      if (sessionId === 'unreadable') throw new Error('The database does not respond');
      return stored.has(sessionId);
    },
    listen(listener) {
      notify = listener;
      return () => {};
    },
    logError: (error) => void errors.push(error),
  });
  const end = (sessionEnd: SessionEnd) => notify({ kind: 'session-end', end: sessionEnd });
  return { live, stored, lookups, errors, end, miss: () => notify({ kind: 'missed' }) };
}

it('looks a session up once', async () => {
  const { live, lookups } = start();
  expect([await live.has(ADA), await live.has(ADA)]).toEqual([true, true]);
  expect(lookups).toEqual(['ada-1']);
});

it('looks it up again after its end, that of all sessions of its user, or missed notifications', async () => {
  const { live, lookups, stored, end, miss } = start();
  await live.has(ADA);
  end({ userId: 'eve' });
  end({ userId: 'ada', sessionId: 'ada-2' });
  await live.has(ADA);
  expect(lookups).toHaveLength(1);
  for (const forget of [
    () => end({ userId: 'ada', sessionId: 'ada-1' }),
    () => end({ userId: 'ada' }),
    miss,
  ]) {
    const before = lookups.length;
    forget();
    expect(await live.has(ADA)).toBe(true);
    expect(lookups).toHaveLength(before + 1);
  }
  stored.delete('ada-1');
  end({ userId: 'ada', sessionId: 'ada-1' });
  expect(await live.has(ADA)).toBe(false);
});

it('does not remember a lookup that was overtaken by the end of the session', async () => {
  const { live, lookups, stored, end } = start();
  const looking = live.has(ADA);
  stored.delete('ada-1');
  end({ userId: 'ada', sessionId: 'ada-1' });
  await looking;
  expect(await live.has(ADA)).toBe(false);
  expect(lookups).toHaveLength(2);
});

it('trusts a session only for its own user', async () => {
  const { live, lookups } = start();
  await live.has(ADA);
  await live.has({ userId: 'eve', sessionId: 'ada-1' });
  expect(lookups).toHaveLength(2);
});

it('calls back when a session ends, also if the notification was missed', async () => {
  const { live, stored, end, miss } = start();
  const ended: string[] = [];
  live.onEnd(ADA, () => ended.push('ada-1'));
  live.onEnd({ userId: 'eve', sessionId: 'eve-1' }, () => ended.push('eve-1'));
  live.onEnd({ userId: 'ada', sessionId: 'ada-2' }, () => ended.push('never'))();
  end({ userId: 'ada', sessionId: 'ada-1' });
  expect(ended).toEqual(['ada-1']);
  stored.delete('eve-1');
  miss();
  await expect.poll(() => ended).toContain('eve-1');
});

it('calls back for a session that ended before', async () => {
  const { live, stored } = start();
  const ended: string[] = [];
  expect(await live.has(ADA)).toBe(true);
  stored.delete('ada-1');
  live.onEnd(ADA, () => ended.push('ada-1'));
  await expect.poll(() => ended).toEqual(['ada-1']);
});

it('calls back for a session that cannot be looked up, and for the others', async () => {
  const { live, stored, errors } = start();
  const ended: string[] = [];
  stored.delete('ada-1');
  for (const sessionId of ['unreadable', 'ada-1'])
    live.onEnd({ userId: 'ada', sessionId }, () => ended.push(sessionId));
  await expect.poll(() => ended.toSorted()).toEqual(['ada-1', 'unreadable']);
  expect(errors).toHaveLength(1);
});
