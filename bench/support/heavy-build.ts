/** A build that uses as much of everything as it can, and fits into the limits. */
export function heavyBuild(baseImage: string): Record<string, string> {
  return {
    Dockerfile: [
      `FROM ${baseImage}`,
      'WORKDIR /app',
      'COPY . .',
      ...['cpu', 'memory', 'files', 'disk'].map((part) => `RUN node heavy.js ${part}`),
      // As package managers do.
      'RUN busybox tar -cf packages.tar packages && mkdir copy && busybox tar -xf packages.tar -C copy',
      'RUN busybox rm -r copy packages.tar',
      'CMD ["node", "server.js"]',
      '',
    ].join('\n'),
    'heavy.js': HEAVY,
    'server.js': SERVER,
  };
}

/** Responds to every request. */
export const SERVER = `require('node:http')
  .createServer((request, response) => response.end('here'))
  .listen(process.env.PORT, '0.0.0.0');
`;

const HEAVY = `
const { fork } = require('node:child_process');
const { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } = require('node:fs');
const { randomBytes } = require('node:crypto');
const MB = 1024 ** 2;

const parts = {
  cpu() {
    for (let count = 0; count < 4; count += 1) fork(__filename, ['spin']);
  },
  spin() {
    for (const until = Date.now() + 4_000; Date.now() < until; );
  },
  memory() {
    const blocks = [];
    for (let count = 0; count < 24; count += 1) blocks.push(Buffer.alloc(64 * MB, count));
    console.log(blocks.length);
  },
  files() {
    for (let folder = 0; folder < 100; folder += 1) {
      mkdirSync('packages/' + folder, { recursive: true });
      for (let file = 0; file < 100; file += 1) {
        writeFileSync('packages/' + folder + '/' + file + '.js', 'x'.repeat(1_500));
      }
    }
  },
  disk() {
    const file = openSync('large', 'w');
    for (let count = 0; count < 16; count += 1) {
      writeSync(file, randomBytes(16 * MB));
      fsyncSync(file);
    }
    closeSync(file);
  },
};
parts[process.argv[2]]();
`;
