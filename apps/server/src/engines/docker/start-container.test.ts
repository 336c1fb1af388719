import { expect, it } from 'vitest';
import { VARIABLES_LABEL } from '../../build/dockerfile.ts';
import { containerEnvironment } from './container-config.ts';
import type { Image } from './images.ts';
import { fillStartCommand } from './start-container.ts';

const COMMAND = ['serve', `\${HOST}:\${PORT}`, '$(id)', ''];
const LABELS = { [VARIABLES_LABEL]: 'true' };

const PORTS = [
  { number: 3000, expose: false },
  { number: 80, expose: true },
];

it.each([
  ['the main port of the app', { ports: PORTS, env: {} }, ['serve', '0.0.0.0:80', '$(id)', '']],
  [
    "the user's HOST, but not the user's PORT",
    { ports: PORTS, env: { PORT: '3000', HOST: '`id`' } },
    ['serve', '`id`:80', '$(id)', ''],
  ],
  ['an empty text for a missing port', { ports: [], env: {} }, ['serve', '0.0.0.0:', '$(id)', '']],
])('fills in %s', (_, spec, argv) => {
  const found = image({ Labels: LABELS, Cmd: COMMAND });
  expect(fillStartCommand(found, containerEnvironment(spec))).toEqual(argv);
});

it.each([
  ['that was not generated', image({ Labels: null, Cmd: COMMAND })],
  ['without a command', image({ Labels: LABELS, Cmd: null })],
  ['that does not exist', undefined],
])('does not change the command of an image %s', (_, found) => {
  expect(fillStartCommand(found, { PORT: '80' })).toBeUndefined();
});

function image(Config: NonNullable<Image['Config']>): Image {
  return { Id: '1', RepoTags: [], RepoDigests: [], Architecture: 'amd64', Created: '', Config };
}
