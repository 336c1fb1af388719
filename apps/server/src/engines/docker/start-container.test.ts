import { expect, it } from 'vitest';
import { VARIABLES_LABEL } from '../../build/dockerfile.ts';
import type { Image } from './images.ts';
import { fillStartCommand } from './start-container.ts';

const COMMAND = ['serve', `\${HOST}:\${PORT}`, '$(id)', ''];
const LABELS = { [VARIABLES_LABEL]: 'true' };

it.each([
  ['the port of the app', { port: 80, env: {} }, ['serve', '0.0.0.0:80', '$(id)', '']],
  [
    "the user's variables first",
    { port: 80, env: { PORT: '`id`', HOST: '::' } },
    ['serve', ':::`id`', '$(id)', ''],
  ],
  [
    'an empty text for a missing port',
    { port: undefined, env: {} },
    ['serve', '0.0.0.0:', '$(id)', ''],
  ],
])('fills in %s', (_, variables, argv) => {
  expect(fillStartCommand(image({ Labels: LABELS, Cmd: COMMAND }), variables)).toEqual(argv);
});

it.each([
  ['that was not generated', image({ Labels: null, Cmd: COMMAND })],
  ['without a command', image({ Labels: LABELS, Cmd: null })],
  ['that does not exist', undefined],
])('does not change the command of an image %s', (_, found) => {
  expect(fillStartCommand(found, { port: 80, env: {} })).toBeUndefined();
});

function image(Config: NonNullable<Image['Config']>): Image {
  return { Id: '1', RepoTags: [], RepoDigests: [], Architecture: 'amd64', Created: '', Config };
}
