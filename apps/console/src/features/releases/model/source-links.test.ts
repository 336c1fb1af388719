import { expect, it } from 'vitest';
import { commitUrl, compareUrl } from './source-links.ts';

const RED = '1'.repeat(40);
const BLUE = '2'.repeat(40);
const hosts = { gitlab: 'http://git.example.com:8080/' };

it.each([
  ['https://github.com/acme/shop.git', `https://github.com/acme/shop/commit/${RED}`],
  ['https://token@github.com/acme/shop', `https://github.com/acme/shop/commit/${RED}`],
  ['git@github.com:acme/shop.git', `https://github.com/acme/shop/commit/${RED}`],
  ['ssh://git@gitlab.com/a/b/c.git', `https://gitlab.com/a/b/c/-/commit/${RED}`],
  ['git@git.example.com:acme/shop.git', `http://git.example.com:8080/acme/shop/-/commit/${RED}`],
  ['https://codeberg.org/acme/shop', `https://codeberg.org/acme/shop/commit/${RED}`],
  ['https://unknown.example.com/acme/shop', undefined],
  ['https://github.com.evil.example/acme/shop', undefined],
  ['file:///srv/shop', undefined],
  ['javascript:alert(1)//github.com', undefined],
  ['', undefined],
])('links a commit of %s to %s', (source, url) => {
  expect(commitUrl(source, RED, hosts)).toBe(url);
});

it.each(['main', 'sha256:abc', ''])('does not link the revision %j', (revision) => {
  expect(commitUrl('https://github.com/acme/shop', revision, {})).toBeUndefined();
});

it('links the commits between two releases, if they differ', () => {
  const source = 'https://gitlab.com/acme/shop.git';
  expect(compareUrl(source, { from: RED, to: BLUE }, {})).toBe(
    `https://gitlab.com/acme/shop/-/compare/${RED}...${BLUE}`,
  );
  expect(compareUrl(source, { from: RED, to: RED }, {})).toBeUndefined();
  expect(compareUrl('https://github.com/acme/shop', { from: RED, to: BLUE }, {})).toBe(
    `https://github.com/acme/shop/compare/${RED}...${BLUE}`,
  );
});
