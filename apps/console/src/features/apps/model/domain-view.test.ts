import type { DomainState } from '@longshore/contract';
import { expect, it } from 'vitest';
import { domainView } from './domain-view.ts';

it.each<[DomainState, string, RegExp]>([
  ['verified', 'good', /^DNS verified/],
  ['taken', 'bad', /^Another app.*Choose another domain/i],
  ['elsewhere', 'idle', /points to another address/],
  ['missing', 'idle', /^No DNS record/],
  ['unanswered', 'idle', /did not respond/],
])('a domain that is %s is %s news', (state, tone, sentence) => {
  const view = domainView({ state, addresses: ['192.0.2.1', '192.0.2.2'] });
  expect(view).toMatchObject({ tone, sentence: expect.stringMatching(sentence) });
  expect(view.addresses).toBe(state === 'elsewhere' ? '192.0.2.1, 192.0.2.2' : '');
});

it('says that it is looked, or that nothing is known', () => {
  expect(domainView(undefined).sentence).toMatch(/^Checking DNS/);
  expect(domainView('unknown').sentence).toMatch(/^Could not check DNS/);
});
