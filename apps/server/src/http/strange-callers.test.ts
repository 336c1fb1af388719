import { expect, it } from 'vitest';
import { upgradeProblem } from './strange-callers.ts';

const PUBLIC_URL = 'https://console.example.com';

it.each([
  ['a program', { host: 'console.example.com' }],
  ['our own page', { host: 'console.example.com', origin: PUBLIC_URL }],
  ['a page on this machine', { host: 'localhost:1337', origin: 'http://localhost:5173' }],
])('lets %s open a websocket', (_, headers) => {
  expect(upgradeProblem(headers, PUBLIC_URL)).toBeUndefined();
});

it.each([
  ['a page from elsewhere', { host: 'localhost', origin: 'https://evil.example.com' }, 403],
  ['a page that hides where it is from', { host: 'localhost', origin: 'null' }, 403],
  ['a name that was made to lead here', { host: 'evil.example.com' }, 421],
])('refuses %s', (_, headers, status) => {
  expect(upgradeProblem(headers, PUBLIC_URL)?.status).toBe(status);
});
