import { buildSession } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { toClientSession } from './client-session.ts';
import { decodeTabMessage } from './tab-messages.ts';

const session = toClientSession(buildSession(), 0);

describe('a message from another tab', () => {
  it.each([[{ type: 'signed-out' }], [{ type: 'session', session }]])(
    '%j is accepted',
    (message) => {
      expect(decodeTabMessage(message)).toEqual(message);
    },
  );

  it.each([
    [undefined],
    ['signed-out'],
    [{ type: 'other' }],
    [{ type: 'session' }],
    [{ type: 'session', session: { ...session, expiresAt: 'soon' } }],
    [{ type: 'session', session: { ...session, user: null } }],
  ])('%j is ignored', (message) => {
    expect(decodeTabMessage(message)).toBeUndefined();
  });
});
