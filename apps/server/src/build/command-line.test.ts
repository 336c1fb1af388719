import { expect, it } from 'vitest';
import { fillVariables, HOST, PORT, parseCommandLine } from './command-line.ts';

it.each([
  ['node web.js', ['node', 'web.js']],
  ['  node   web.js ', ['node', 'web.js']],
  ['exec gunicorn app', ['gunicorn', 'app']],
  [`say "it's here" 'a "b"'`, ['say', "it's here", 'a "b"']],
  ['say a\\ b""c', ['say', 'a bc']],
  ["say ''", ['say', '']],
  ['serve -p $PORT', ['serve', '-p', PORT]],
  [`serve -b $HOST:\${PORT}`, ['serve', '-b', `${HOST}:${PORT}`]],
  [`serve -p \${PORT:-8000}`, ['serve', '-p', PORT]],
  ['serve a#b x{1,2} a=b', ['serve', 'a#b', 'x{1,2}', 'a=b']],
])('parses %j without a shell', (line, argv) => {
  expect(parseCommandLine(line)).toEqual({ kind: 'command', argv, env: {} });
});

it('parses leading assignments as variables', () => {
  expect(parseCommandLine('A=1 B="x y" node web.js C=2')).toEqual({
    kind: 'command',
    argv: ['node', 'web.js', 'C=2'],
    env: { A: '1', B: 'x y' },
  });
});

it.each([
  ['a && b', 'of &&'],
  ['a || b', 'of ||'],
  ['a | b', 'of |'],
  ['a; b', 'of ;'],
  ['a > log', 'of >'],
  ['a &', 'of &'],
  ['a `id`', 'of `'],
  ['a $(id)', 'of $('],
  ['a "$(id)"', 'of "'],
  ['a $WORKERS', 'of $WORKERS'],
  [`a \${WORKERS}`, `of \${WORKERS}`],
  ['a $PORTS', 'of $PORTS'],
  [`a \${PORT:-$(id)}`, `of \${PORT`],
  ['a *.js', 'of *'],
  ['a ~/b', 'of ~'],
  ['a # b', 'of #'],
  ["a 'b", "of '"],
  ['cd app', 'of cd'],
  ['A=1', 'it names no program'],
  ['A=$PORT node a.js', 'a variable is set to another one'],
])('reports that %j needs a shell, with the reason', (line, because) => {
  expect(parseCommandLine(line)).toEqual({ kind: 'needs-shell', because });
});

it('replaces the placeholders by their values, unchanged', () => {
  const argv = fillVariables(['serve', `${HOST}:${PORT}`, '$PORT'], { HOST: '$PORT', PORT: '80' });
  expect(argv).toEqual(['serve', '$PORT:80', '$PORT']);
});
