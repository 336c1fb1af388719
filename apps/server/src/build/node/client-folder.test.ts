import { expect, it } from 'vitest';
import { detect } from '../detect.ts';

const BUILT = ['npm install --prefix client --legacy-peer-deps', 'npm run build --prefix client'];
const JOINED = `app.use(express.static(path.join(__dirname, 'client', 'build'))); app.listen(1)`;
const client = { 'client/package.json': '{"scripts":{"build":"react-scripts build"}}' };

it.each<
  [
    what: string,
    scripts: object,
    files: Record<string, string>,
    steps: string[],
    committedOn?: string,
  ]
>([
  ['builds the pages that a server names', {}, { ...client, 'server.js': JOINED }, BUILT],
  [
    'builds pages that are named as a path',
    {},
    { ...client, 'server.js': "express.static('client/dist')" },
    BUILT,
  ],
  [
    'leaves the pages to a script',
    { 'heroku-postbuild': 'cd client && npm i && npm run build' },
    { ...client, 'server.js': JOINED },
    ['npm run heroku-postbuild'],
  ],
  ['builds no folder that the server does not name', {}, { ...client, 'server.js': '' }, []],
  ['builds no folder that is no project', {}, { 'server.js': JOINED }, []],
  [
    'takes packages of the day of the commit if the pages have no lock file',
    {},
    { ...client, 'server.js': JOINED },
    BUILT.with(0, `${BUILT[0]} --before=2025-01-25`),
    '2025-01-24',
  ],
  [
    'takes the packages of the lock file of the pages',
    {},
    { ...client, 'client/package-lock.json': '{}', 'server.js': JOINED },
    BUILT,
    '2025-01-24',
  ],
])('%s', (_, scripts, files, steps, committedOn = '') => {
  const manifest = { scripts: { start: 'node server.js', ...scripts } };
  const texts = { 'package.json': JSON.stringify(manifest), ...files };
  const detection = detect({ files: Object.keys(texts), texts, committedOn });
  const planned = detection.kind === 'plan' ? detection.plan.steps : [];
  expect(planned.map(({ label }) => label)).toEqual(steps);
});
