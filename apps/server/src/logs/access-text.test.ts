import { expect, it } from 'vitest';
import { accessText, omittedText } from './access-text.ts';
import { createMask } from './mask.ts';

const REQUEST = {
  status: 200,
  method: 'GET',
  durationMs: 12.3,
  bytes: 512,
  host: 'shop.example.com',
  path: '/cart',
};

it.each([
  [{}, '200 GET   12.3 ms     512 B shop.example.com/cart'],
  [{ durationMs: 0 }, '200 GET    0.0 ms     512 B shop.example.com/cart'],
  [{ durationMs: 99.9 }, '200 GET   99.9 ms     512 B shop.example.com/cart'],
  [{ durationMs: 50_012.4 }, '200 GET  50012 ms     512 B shop.example.com/cart'],
  [{ status: 101, method: 'OPTIONS' }, '101 OPTIONS  12.3 ms     512 B shop.example.com/cart'],
  [{ bytes: 123_456_789 }, '200 GET   12.3 ms 123456789 B shop.example.com/cart'],
  [{ path: '*' }, '200 GET   12.3 ms     512 B shop.example.com*'],
])('formats %j', (change, text) => {
  expect(accessText({ ...REQUEST, ...change })).toBe(text);
});

it('is masked, also where a long path is cut off', () => {
  const mask = createMask(['a-secret-token']);
  const masked = (path: string) => mask(accessText({ ...REQUEST, path }));
  expect(masked('/reset/a-secret-token/x')).toContain('/reset/[secret]/x');
  expect(masked('/reset/a-secret-t…')).toContain('/reset/[secret]…');
});

it.each([
  [1, '… 1 request is not listed here: too many at once'],
  [4_800, '… 4,800 requests are not listed here: too many at once'],
])('says that %i requests have no line', (count, text) => {
  expect(omittedText(count)).toBe(text);
});
