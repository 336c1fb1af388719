import { expect, it } from 'vitest';
import { hostName, requestTarget } from './request-target.ts';

it.each([
  ['/a?b=c', 'h', { authority: 'h', path: '/a?b=c' }],
  ['//other/a', 'h', { authority: 'h', path: '//other/a' }],
  ['*', 'h', { authority: 'h', path: '*' }],
  ['http://other:81/a?b', 'h', { authority: 'other:81', path: '/a?b' }],
  ['HTTP://other', 'h', { authority: 'other', path: '/' }],
  ['http://other?b', 'h', { authority: 'other', path: '/?b' }],
  ['http://[::1]:81/a', 'h', { authority: '[::1]:81', path: '/a' }],
])('parses target %j with Host %j', (url, host, expected) => {
  expect(requestTarget(url, host)).toEqual(expected);
});

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
])('the host name of %j is %j', (authority, expected) => {
  expect(hostName(authority)).toBe(expected);
});
