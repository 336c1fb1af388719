import { expect, it } from 'vitest';
import { isExposed } from './is-exposed.ts';

const LOCAL = 'http://localhost:1337';

it.each([
  ['127.0.0.1', LOCAL, false],
  ['127.8.0.1', LOCAL, false],
  ['localhost', LOCAL, false],
  ['LocalHost', LOCAL, false],
  ['::1', LOCAL, false],
  ['127.0.0.1', 'http://127.0.0.1:1337', false],
  ['127.0.0.1', 'http://[::1]:1337', false],
  ['0.0.0.0', LOCAL, true],
  ['::', LOCAL, true],
  ['192.168.1.5', LOCAL, true],
  ['fd00::5', LOCAL, true],
  ['harbour', LOCAL, true],
  ['127.0.0.1.example.com', LOCAL, true],
  ['localhost.example.com', LOCAL, true],
  ['127.0.0.1', 'https://console.example.com', true],
  ['127.0.0.1', 'http://192.168.1.5:1337', true],
  ['0.0.0.0', 'https://console.example.com', true],
  // An address that is not clearly a loopback address counts as exposed.
  ['::ffff:127.0.0.1', LOCAL, true],
  ['127.1', LOCAL, true],
])('is for host %s and public URL %s: %s', (host, publicUrl, expected) => {
  expect(isExposed({ host, publicUrl })).toBe(expected);
});
