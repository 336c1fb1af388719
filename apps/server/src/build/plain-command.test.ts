import { expect, it } from 'vitest';
import { plainCommand } from './plain-command.ts';

it.each([
  ['node server.js', ['node', 'server.js']],
  ['  node  --max-old-space-size=512 a.js ', ['node', '--max-old-space-size=512', 'a.js']],
  ['PORT=1 node a.js', undefined],
  ['node a.js && node b.js', undefined],
  ['node "a b.js"', undefined],
  ['node $FILE', undefined],
  ['cd app', undefined],
  ['node *.js', undefined],
  ['', undefined],
])('parses "%s" as %o', (script, argv) => {
  expect(plainCommand(script)).toEqual(argv);
});
