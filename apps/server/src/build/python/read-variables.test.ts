import { expect, it } from 'vitest';
import { readVariables } from './read-variables.ts';

it.each([
  ["path = os.environ.get('LOG_FILE')", ['LOG_FILE']],
  ['client = Client(os.getenv("API_KEY"), timeout=3)', ['API_KEY']],
  ["path = environ.get('LOG_FILE', None)", ['LOG_FILE']],
  ["path = os.environ.get('LOG_FILE', 'log.yaml')", []],
  ["path = os.environ.get('LOG_FILE') or 'log.yaml'", []],
  ["path = options.get('LOG_FILE')", []],
])('reads %j', (line, names) => {
  const texts = { 'shop/log.py': `import os\n${line}\n`, 'README.md': line };
  expect(readVariables({ files: [], texts })).toEqual(
    names.map((name) => ({ name, file: 'shop/log.py' })),
  );
});
