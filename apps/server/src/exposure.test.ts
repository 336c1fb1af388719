import { expect, it } from 'vitest';
import { isExposed } from './exposure.ts';

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
  // What is not surely this machine's own counts as everybody's.
  ['::ffff:127.0.0.1', LOCAL, true],
  ['127.1', LOCAL, true],
])('on %s, published at %s: others can reach it: %s', (host, publicUrl, answer) => {
  expect(isExposed({ host, publicUrl })).toBe(answer);
});
