import { expect, it } from 'vitest';
import { repositoryInUrl } from './repository-in-url.ts';

it.each([
  ['git@git.home:acme/shop.git', 'acme/shop'],
  ['ssh://git@git.home:2222/acme/web/shop.git', 'acme/web/shop'],
  [' https://Git.Home/acme/shop/ ', 'acme/shop'],
  ['http://git.home:3000/acme/shop.git', 'acme/shop'],
  ['https://ada@git.home/acme/shop', 'acme/shop'],
  ['https://elsewhere.com/acme/shop', undefined],
  ['https://elsewhere.com/@git.home:acme/shop', undefined],
  ['git@git.home:', undefined],
  ['https://git.home/', undefined],
  ['', undefined],
])('%j leads to the repository %s', (url, repository) => {
  expect(repositoryInUrl(url, 'git.home:8443')).toBe(repository);
});
