import { expect, it } from 'vitest';
import { typedCommand } from './typed-command.ts';

it.each<[string, string[], Record<string, string>]>([
  ['node server.js', ['node', 'server.js'], {}],
  ['A=1 node "my server.js"', ['node', 'my server.js'], { A: '1' }],
  [`serve -p $PORT`, ['serve', '-p', `\${PORT}`], {}],
  ['migrate && start', ['/bin/sh', '-c', 'migrate && start'], {}],
  ['echo $(id); "', ['/bin/sh', '-c', 'echo $(id); "'], {}],
  ['cd web', ['/bin/sh', '-c', 'cd web'], {}],
])('%s', (text, argv, env) => {
  expect(typedCommand(text)).toEqual({ kind: 'command', argv, env });
});
