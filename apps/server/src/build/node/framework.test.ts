import { expect, it } from 'vitest';
import { innerFolder } from './framework.ts';
import { watchedProgram } from './watched-program.ts';

it.each([
  [['dist'], 'dist'],
  [['client', '../site'], 'site'],
  [['./a//b/'], 'a/b'],
  [['../outside'], undefined],
  [['a/../..'], undefined],
  [['/'], undefined],
  [['--single-page'], undefined],
  [['a,b'], undefined],
  [[undefined], undefined],
])('resolves the folders %j to %s', (paths, folder) => {
  expect(innerFolder(...paths)).toBe(folder);
});

it.each([
  ['nodemon app.js', ['node', 'app.js']],
  [
    'nodemon --watch src -e js,json --inspect src/app.js --port 3',
    ['node', 'src/app.js', '--port', '3'],
  ],
  ['nodemon --exec babel-node src/index.js', ['babel-node', 'src/index.js']],
  ['nodemon --exec "ts-node -T" src/index.ts', ['ts-node', '-T', 'src/index.ts']],
  ['NODE_ENV=production nodemon server.js', ['node', 'server.js']],
  ['ts-node-dev --respawn src/main.ts', ['ts-node', 'src/main.ts']],
  ['tsx watch --env-file .env src/main.ts', ['tsx', 'src/main.ts']],
  ['node --watch server.js', ['node', 'server.js']],
  ['bun --hot index.ts', ['bun', 'index.ts']],
  ['nodemon', undefined],
  ['npm run build && nodemon dist/index.js', undefined],
  ['node server.js', undefined],
  ['webpack-dev-server', undefined],
])('finds the program below the watcher of "%s"', (script, words) => {
  expect(watchedProgram(script)).toEqual(words);
});
