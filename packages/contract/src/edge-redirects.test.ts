import { expect, it } from 'vitest';
import { foreignRedirectProblem, ownHosts } from './edge-redirects.ts';

const app = {
  id: 'app',
  name: 'hello',
  publicAccess: {
    enabled: true,
    domain: 'example.com',
    baseDomain: '',
    domains: ['www.example.com'],
  },
};
const to = 'https://other.example';

it('lets an app redirect its custom domains and its generated address', () => {
  const hosts = ownHosts(app, 'localhost');
  expect(hosts).toHaveLength(3);
  expect(
    foreignRedirectProblem(
      hosts.map((from) => ({ from, to })),
      hosts,
    ),
  ).toBeUndefined();
});

it('refuses the host of somebody else, unless it was stored before', () => {
  const redirects = [{ from: 'shop.example', to }];
  const problem = '"shop.example" is not a domain of this app';
  expect(foreignRedirectProblem(redirects, ownHosts(app, 'localhost'))).toBe(problem);
  expect(foreignRedirectProblem(redirects, [], ['shop.example'])).toBeUndefined();
});
