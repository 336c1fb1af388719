import { expect, it } from 'vitest';
import { hostName } from './host-name.ts';

it.each([
  ['app.localhost', 'app.localhost'],
  ['APP.LocalHost', 'app.localhost'],
  ['app.localhost:8080', 'app.localhost'],
  ['app.localhost:', 'app.localhost'],
  ['app.localhost.', 'app.localhost'],
  ['app.localhost.:8080', 'app.localhost'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['[::1]:8080', '[::1]'],
  ['[FE80::1]:8080', '[fe80::1]'],
  ['', ''],
  ['.', ''],
  [':80', ''],
  ['user@app.localhost', ''],
  ['app.localhost/path', ''],
  ['a b', ''],
  ['a:80:90', ''],
])('reads %j as %j', (authority, expected) => {
  expect(hostName(authority)).toBe(expected);
});
