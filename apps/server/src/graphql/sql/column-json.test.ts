import { expect, it } from 'vitest';
import { pathKeys } from './column-json.ts';

it.each([
  ['env', ['env']],
  ['$.env.PORT', ['env', 'PORT']],
  ['$', []],
  ['', []],
  ['ports[0].number', ['ports', '0', 'number']],
  ['$["a.b"][\'c d\']', ['a.b', 'c d']],
  ['my-key', ['my-key']],
])('reads the path %j', (path, keys) => {
  expect(pathKeys(path)).toEqual(keys);
});

it.each(['a b', 'a[', 'a[x]', '..a', '$a;drop', "a['b]"])('refuses the path %j', (path) => {
  expect(() => pathKeys(path)).toThrow('parse json path error');
});
