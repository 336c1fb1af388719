import { expect, it } from 'vitest';
import { declaredArguments, mountedSecrets } from './dockerfile-arguments.ts';

it.each<[what: string, text: string, names: string[]]>([
  ['none', 'FROM node\nRUN echo ARG A\n# ARG B\n', []],
  ['one without a value', 'ARG VERSION\nFROM node:$VERSION\n', ['VERSION']],
  ['one with a value', 'FROM node\n  arg URL=https://example.com/a=b\n', ['URL']],
  ['several in one line', 'ARG A=1 B C="x Y=2" D=\'z\'\r\n', ['A', 'B', 'C', 'D']],
  ['several in continued lines', 'ARG A=1 \\\n  # why\n  B=2\nARG C\n', ['A', 'B', 'C']],
  ['one in several stages', 'ARG A\nFROM a\nARG A\n', ['A']],
])('finds the arguments of a Dockerfile with %s', (_, text, names) => {
  expect(declaredArguments(text)).toEqual(names);
});

it('finds the secrets that a Dockerfile mounts', () => {
  const text = [
    'RUN --mount=type=secret,id=TOKEN,env=TOKEN npm ci',
    'RUN --mount=id=KEY,type=secret --mount=type=cache,id=CACHE,target=/c --mount=type=secret,id=TOKEN a',
  ].join('\n');
  expect(mountedSecrets(text)).toEqual(['TOKEN', 'KEY']);
});
