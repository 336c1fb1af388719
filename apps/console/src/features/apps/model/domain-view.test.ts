import type { DomainState } from '@longshore/contract';
import { expect, it } from 'vitest';
import { domainView } from './domain-view.ts';

it.each<[DomainState, string, RegExp]>([
  ['verified', 'good', /^DNS verified/],
  ['taken', 'bad', /^Another app.*Choose another domain/i],
  ['elsewhere', 'idle', /points to another address/],
  ['missing', 'idle', /^No DNS record/],
  ['unanswered', 'idle', /did not respond/],
])('a domain that is %s has the tone %s', (state, tone, text) => {
  const view = domainView({ state, addresses: ['192.0.2.1', '192.0.2.2'] });
  expect(view).toMatchObject({ tone, text: expect.stringMatching(text) });
  expect(view.addresses).toBe(state === 'elsewhere' ? '192.0.2.1, 192.0.2.2' : '');
});

it('shows that the check runs or has failed', () => {
  expect(domainView(undefined).text).toMatch(/^Checking DNS/);
  expect(domainView('unknown').text).toMatch(/^Could not check DNS/);
});
