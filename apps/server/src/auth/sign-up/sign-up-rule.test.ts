import { describe, expect, it } from 'vitest';
import {
  decideSignUp,
  parseEmailDomain,
  parseSignUpRule,
  type SignUp,
  type SignUpRule,
} from './sign-up-rule.ts';

const OPEN: SignUpRule = { mode: 'open', domains: [] };
const CLOSED: SignUpRule = { mode: 'closed', domains: [] };
const INVITE: SignUpRule = { mode: 'invite', domains: [] };
const DOMAINS: SignUpRule = { mode: 'domains', domains: ['example.com', 'xn--bcher-kva.example'] };

const eve = { email: 'eve@example.com' };
const verified = { ...eve, isEmailVerified: true };
const outsider = { email: 'eve@other.example' };
const phone = { email: null };
const anonymous = { email: null, isAnonymous: true };
const mailed = { id: 'i1', email: 'eve@example.com', isMailed: true };
const copied = { ...mailed, isMailed: false };

function decide(
  rule: SignUpRule,
  signUp: SignUp,
  rest: { invitation?: typeof mailed; hasToken?: boolean; isFirst?: boolean } = {},
) {
  const { invitation, hasToken = false, isFirst = false } = rest;
  const decision = decideSignUp({ rule, isFirst, signUp, invitation, hasToken });
  if (decision.kind === 'refused') return decision.code;
  const { isEmailProved, mustVerifyEmail, invitationId } = decision;
  return [
    'admitted',
    ...(isEmailProved ? ['proved'] : []),
    ...(mustVerifyEmail ? ['must verify'] : []),
    ...(invitationId === undefined ? [] : ['invited']),
  ].join(', ');
}

describe('without an invitation', () => {
  it.each<[SignUpRule, SignUp, string]>([
    [OPEN, eve, 'admitted'],
    [OPEN, phone, 'admitted'],
    [OPEN, anonymous, 'admitted'],
    [CLOSED, eve, 'signup-disabled'],
    [CLOSED, verified, 'signup-disabled'],
    [CLOSED, phone, 'signup-disabled'],
    [CLOSED, anonymous, 'signup-disabled'],
    [INVITE, eve, 'signup-disabled'],
    [INVITE, verified, 'signup-disabled'],
    [INVITE, anonymous, 'signup-disabled'],
    [DOMAINS, eve, 'admitted, must verify'],
    [DOMAINS, { email: 'EVE@EXAMPLE.COM' }, 'admitted, must verify'],
    [DOMAINS, { email: 'eve@xn--bcher-kva.example' }, 'admitted, must verify'],
    [DOMAINS, outsider, 'signup-disabled'],
    [DOMAINS, { email: 'eve@mail.example.com' }, 'signup-disabled'],
    [DOMAINS, { email: 'eve@notexample.com' }, 'signup-disabled'],
    [DOMAINS, { email: 'eve@example.com.attacker.example' }, 'signup-disabled'],
    [DOMAINS, { email: 'example.com@attacker.example' }, 'signup-disabled'],
    [DOMAINS, phone, 'signup-disabled'],
    [DOMAINS, anonymous, 'signup-disabled'],
  ])('%j, %j: %s', (rule, signUp, expected) => {
    expect(decide(rule, signUp)).toBe(expected);
  });
});

describe('with an invitation', () => {
  it.each<[string, SignUpRule, SignUp, Parameters<typeof decide>[2], string]>([
    ['mailed', INVITE, eve, { invitation: mailed, hasToken: true }, 'admitted, proved, invited'],
    ['copied', INVITE, eve, { invitation: copied, hasToken: true }, 'admitted, invited'],
    ['of others', INVITE, outsider, { invitation: mailed, hasToken: true }, 'invalid-invitation'],
    ['unknown', INVITE, eve, { hasToken: true }, 'invalid-invitation'],
    ['unknown', OPEN, eve, { hasToken: true }, 'invalid-invitation'],
    ['mailed', CLOSED, eve, { invitation: mailed, hasToken: true }, 'signup-disabled'],
    ['mailed', DOMAINS, eve, { invitation: mailed, hasToken: true }, 'admitted, proved, invited'],
    ['by provider', INVITE, verified, { invitation: copied }, 'admitted, invited'],
    ['by its address alone', INVITE, eve, { invitation: copied }, 'signup-disabled'],
  ])('%s: %j, %j', (_, rule, signUp, rest, expected) => {
    expect(decide(rule, signUp, rest)).toBe(expected);
  });
});

it.each([OPEN, CLOSED, INVITE, DOMAINS])('admits the first account in %j', (rule) => {
  expect(decide(rule, outsider, { isFirst: true })).toBe('admitted');
});

it.each([
  ['Example.COM', 'example.com'],
  [' @example.com ', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['*.example.com', undefined],
  ['example', undefined],
  ['a@example.com', undefined],
  ['example.com/path', undefined],
  ['example.com:80', undefined],
  ['', undefined],
])('parses the domain %j as %j', (text, domain) => {
  expect(parseEmailDomain(text)).toBe(domain);
});

it.each([
  ['open', OPEN],
  [' Closed ', CLOSED],
  ['invite', INVITE],
  ['example.com, bücher.example,', DOMAINS],
  ['example.com, closed', undefined],
  ['', undefined],
  [',', undefined],
])('parses the rule %j', (text, rule) => {
  expect(parseSignUpRule(text)).toEqual(rule);
});
