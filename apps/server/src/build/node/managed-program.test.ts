import { expect, it } from 'vitest';
import { detect } from '../detect.ts';
import { managedProgram } from './managed-program.ts';

const ecosystem = (...scripts: string[]) =>
  `module.exports = { apps: [${scripts.map((it) => `{ name: 'a', script: '${it}' }`).join(', ')}] };`;

it.each<[script: string, command: string | undefined, texts?: Record<string, string>]>([
  ['pm2 start app.js', 'node app.js'],
  ['pm2 start ./src/app.js -i max --name shop.js -- --verbose', 'node src/app.js --verbose'],
  ['NODE_ENV=production pm2-runtime start dist/main.js', 'node dist/main.js'],
  ['npm run build && pm2 start dist/main.js', 'node dist/main.js'],
  ['npx forever start bin/www.js', 'node bin/www.js'],
  [
    'pm2 start ecosystem.config.js --env production',
    'node src/server.js',
    { 'ecosystem.config.js': ecosystem('./src/server.js') },
  ],
  [
    'pm2 start ecosystem.config.json --no-daemon',
    'node src/index.js',
    { 'ecosystem.config.json': '{ "apps": [{ "script": "src/index.js" }] }' },
  ],
  [
    'pm2 start ecosystem.config.js',
    undefined,
    { 'ecosystem.config.js': ecosystem('a.js', 'b.js') },
  ],
  ['pm2 start ecosystem.config.js', undefined, { 'ecosystem.config.js': ecosystem('../a.js') }],
  ['pm2 start npm -- start', undefined],
  ['node prepare.js && pm2 start app.js', undefined],
  ['node app.js', undefined],
])('%s: %s', (script, command, texts = {}) => {
  expect(managedProgram(script, { files: Object.keys(texts), texts })?.join(' ')).toBe(command);
});

it('starts the program itself', () => {
  const manifest = { scripts: { start: 'pm2 start app.js' }, dependencies: { pm2: '^5.0.0' } };
  const texts = { 'package.json': JSON.stringify(manifest) };
  expect(detect({ files: Object.keys(texts), texts })).toMatchObject({
    plan: { start: { argv: ['node', 'app.js'] } },
  });
});
