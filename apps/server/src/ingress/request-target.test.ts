import { expect, it } from 'vitest';
import { requestTarget } from './request-target.ts';

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
