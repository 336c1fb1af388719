import { expect, it } from 'vitest';
import { responseFormat } from './response-format.ts';

it.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['application/problem+json', 'json'],
  ['text/plain, application/json', 'json'],
  ['image/avif,image/webp,*/*;q=0.8', 'json'],
  ['text/plain', 'text'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'page'],
  ['TEXT/HTML', 'page'],
  ['text/*', 'page'],
])('responds to Accept %j with %s', (accept, format) => {
  expect(responseFormat(accept)).toBe(format);
});
