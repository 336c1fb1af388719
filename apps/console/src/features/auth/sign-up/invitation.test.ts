import { describe, expect, it } from 'vitest';
import { invitationOf, signUpView } from './invitation.ts';
import { MESSAGES } from './messages.ts';

describe('the invitation in the address', () => {
  it.each([
    ['#invitation=abc&email=ada%40example.com', { token: 'abc', email: 'ada@example.com' }],
    ['#invitation=abc&email=ada', undefined],
    ['#invitation=&email=ada%40example.com', undefined],
    ['#email=ada%40example.com', undefined],
    ['', undefined],
  ])('%s', (hash, invitation) => {
    expect(invitationOf(hash)).toEqual(invitation);
  });
});

describe('the sign-up page', () => {
  it.each([
    [undefined, false, undefined, true],
    ['open', false, undefined, true],
    ['open', true, MESSAGES.invited, true],
    ['closed', false, MESSAGES.closed, false],
    ['closed', true, MESSAGES.closed, false],
    ['invite', false, MESSAGES.invite, false],
    ['invite', true, MESSAGES.invited, true],
    ['domains', false, MESSAGES.domains, true],
    ['domains', true, MESSAGES.invited, true],
  ] as const)('mode %s, invited: %s', (mode, isInvited, text, hasForm) => {
    expect(signUpView(mode, isInvited)).toEqual({ text, hasForm });
  });
});
