import { expect, it } from 'vitest';
import { createRoster, type Present } from './open-sockets.ts';

function rosterOf(...sessions: [userId: string, sessionId: string | undefined][]) {
  const roster = createRoster();
  const left: string[] = [];
  const enter = (userId: string, sessionId: string | undefined) => {
    const leave: Present['leave'] = (why) => void left.push(`${userId} ${sessionId}: ${why}`);
    return roster.enter({ whose: userId, session: { userId, sessionId }, leave });
  };
  for (const session of sessions) enter(...session);
  return { roster, left, enter };
}

it('sends the sockets of an ended session away, and no others', () => {
  const { roster, left } = rosterOf(['ada', 's1'], ['ada', 's2'], ['ada', 's1'], ['eve', 's1']);
  roster.end({ userId: 'ada', sessionId: 's1' });
  expect(left).toEqual(['ada s1: session-over', 'ada s1: session-over']);
});

it('sends every socket of a user away who is disabled', () => {
  const { roster, left } = rosterOf(['ada', 's1'], ['ada', undefined], ['eve', 's2']);
  roster.end({ userId: 'ada' });
  expect(left).toEqual(['ada s1: session-over', 'ada undefined: session-over']);
});

it('looks at everybody again, and sends those away of whom it cannot tell', async () => {
  const { roster, left } = rosterOf(['ada', 's1'], ['eve', 's2'], ['bob', 's3']);
  await roster.recheck(async ({ userId }) => {
    if (userId === 'bob') throw new Error('no database');
    return userId === 'ada';
  });
  expect(left).toEqual(['eve s2: session-over', 'bob s3: unknown']);
});

it('has room for so many sockets of one user, and again when one leaves', () => {
  const { enter } = rosterOf();
  const strikes = Array.from({ length: 50 }, () => enter('ada', 's1'));
  expect(enter('ada', 's1')).toBeUndefined();
  expect(enter('eve', 's1')).toBeDefined();
  strikes[0]?.();
  expect(enter('ada', 's1')).toBeDefined();
});
