import { expect, it } from 'vitest';
import { createOpenSockets } from './open-sockets.ts';

function openSocketsOf(...sessions: [userId: string, sessionId: string | undefined][]) {
  const sockets = createOpenSockets();
  const closed: string[] = [];
  const add = (userId: string, sessionId: string | undefined) =>
    sockets.add({
      owner: userId,
      session: { userId, sessionId },
      close: (why) => void closed.push(`${userId} ${sessionId}: ${why}`),
    });
  for (const session of sessions) add(...session);
  return { sockets, closed, add };
}

it('closes the sockets of an ended session, and no others', () => {
  const { sockets, closed } = openSocketsOf(
    ['ada', 's1'],
    ['ada', 's2'],
    ['ada', 's1'],
    ['eve', 's1'],
  );
  sockets.closeSession({ userId: 'ada', sessionId: 's1' });
  expect(closed).toEqual(['ada s1: session-ended', 'ada s1: session-ended']);
});

it('closes every socket of a disabled user', () => {
  const { sockets, closed } = openSocketsOf(['ada', 's1'], ['ada', undefined], ['eve', 's2']);
  sockets.closeSession({ userId: 'ada' });
  expect(closed).toEqual(['ada s1: session-ended', 'ada undefined: session-ended']);
});

it('rechecks all sessions, and closes sockets whose session cannot be checked', async () => {
  const { sockets, closed } = openSocketsOf(['ada', 's1'], ['eve', 's2'], ['bob', 's3']);
  await sockets.recheck(async ({ userId }) => {
    if (userId === 'bob') throw new Error('no database');
    return userId === 'ada';
  });
  expect(closed).toEqual(['eve s2: session-ended', 'bob s3: unknown']);
});

it('limits the sockets of each user, and has room again after one is removed', () => {
  const { add } = openSocketsOf();
  const removals = Array.from({ length: 50 }, () => add('ada', 's1'));
  expect(add('ada', 's1')).toBeUndefined();
  expect(add('eve', 's1')).toBeDefined();
  removals[0]?.();
  expect(add('ada', 's1')).toBeDefined();
});
