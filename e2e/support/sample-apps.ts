/** A web app without install or build that responds to every request with its greeting. */
export const HELLO_APP = {
  'package.json': JSON.stringify({
    name: 'hello',
    private: true,
    scripts: { start: 'node server.js' },
  }),
  'server.js': `
    const http = require('node:http');
    http
      .createServer((_, response) => response.end(process.env.GREETING ?? 'Ahoy'))
      .listen(process.env.PORT);
  `,
};

/** An app on a package in place of Next.js, whose build fails as that of Next.js unless its fonts are replaced. */
export const GOOGLE_FONTS_APP = {
  'package.json': JSON.stringify({
    private: true,
    scripts: { build: 'node build.cjs', start: 'node server.js' },
    dependencies: { next: 'file:next' },
  }),
  'next/package.json': JSON.stringify({ name: 'next', version: '15.0.0' }),
  'build.cjs': `
    const { existsSync } = require('node:fs');
    if (existsSync('.env.production.local')) return;
    console.log('Failed to fetch \`Geist\` from Google Fonts.');
    process.exit(1);
  `,
  'server.js': HELLO_APP['server.js'],
};

/** A Node app with the given npm scripts and files. */
function nodeApp(scripts: Record<string, string>, files: Record<string, string>) {
  return { 'package.json': JSON.stringify({ private: true, scripts }), ...files };
}

/** Responds with what the URL in its query answers, or with the code of the error. */
export const FETCHING_APP = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      require('node:http')
        .createServer(async (request, response) => {
          try {
            const answer = await fetch(decodeURIComponent(request.url.slice(2)));
            response.end(answer.status + ' ' + (await answer.text()));
          } catch (error) {
            response.end(error.cause?.code ?? error.message);
          }
        })
        .listen(process.env.PORT);
    `,
  },
);

/** Contains nothing that can be built. */
export const NOTHING = { 'README.md': 'Nothing here runs.' };

export const FAILING_BUILD = nodeApp(
  { build: 'node build.js', start: 'node server.js' },
  { 'build.js': `console.error('no wood left for the mast'); process.exit(3);` },
);

/** Runs but never listens on its port. */
export const SILENT = nodeApp(
  { start: 'node server.js' },
  { 'server.js': `console.log('asleep below deck'); setInterval(() => {}, 1000);` },
);

/** Exits at once. */
export const CRASHING = nodeApp(
  { start: 'node server.js' },
  { 'server.js': `console.error('hit an iceberg'); process.exit(7);` },
);

/** Serves until /iceberg is requested. */
export const CRASHING_LATER = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      require('node:http')
        .createServer((request, response) => {
          response.end('Ahoy');
          if (request.url !== '/iceberg') return;
          console.error('hit an iceberg at last');
          process.exit(9);
        })
        .listen(process.env.PORT);
    `,
  },
);

/** A web app that starts to listen once the file in PUBLIC_TIDE exists. It echoes request bodies. */
export const SLOW_START_APP = {
  'package.json': JSON.stringify({
    name: 'slow-app',
    private: true,
    scripts: { start: 'node server.js' },
  }),
  'server.js': `
    const { existsSync } = require('node:fs');
    const { createServer } = require('node:http');
    const server = createServer(async (request, response) => {
      const chunks = await Array.fromAsync(request);
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><h1>Ahoy</h1>' + request.url + ' ' + Buffer.concat(chunks));
    });
    const timer = setInterval(() => {
      if (!existsSync(process.env.PUBLIC_TIDE)) return;
      clearInterval(timer);
      server.listen(process.env.PORT);
    }, 20);
    process.on('SIGTERM', () => process.exit(0));
  `,
};

/**
 * A web app whose build waits for the file in PUBLIC_TIDE, so that a test can inspect a running deployment. It responds with
 * GREETING and logs each request.
 */
export const BLOCKED_BUILD_APP = {
  'package.json': JSON.stringify({
    name: 'waiting-app',
    private: true,
    scripts: { build: 'node build.js', start: 'node server.js' },
  }),
  'build.js': `
    const { existsSync } = require('node:fs');
    console.log('waiting for the tide');
    const timer = setInterval(() => {
      if (!existsSync(process.env.PUBLIC_TIDE)) return;
      clearInterval(timer);
      console.log('the tide is in');
    }, 50);
  `,
  'server.js': `
    const http = require('node:http');
    const server = http.createServer((request, response) => {
      console.log('somebody asked for ' + request.url);
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Hello</title><h1>' + (process.env.GREETING ?? 'Ahoy') + '</h1>');
    });
    server.listen(process.env.PORT, () => console.log('ready for visitors'));
    process.on('SIGTERM', () => server.close(() => process.exit(0)));
  `,
};

/**
 * Responds to every request with the name of its network namespace, and to /files with the contents of files that it wrote to
 * its home and its release folder. The build stores the absolute path of the release folder.
 */
export const FILES_APP = nodeApp(
  { build: 'node build.js', start: 'node server.js' },
  {
    'build.js': `require('node:fs').writeFileSync('folder', __dirname);`,
    'server.js': `
      const { existsSync, readFileSync, readlinkSync, writeFileSync } = require('node:fs');
      const folders = [process.env.HOME, readFileSync('folder', 'utf8')];
      const files = folders.map((folder) => folder + '/written');
      for (const file of files) if (!existsSync(file)) writeFileSync(file, crypto.randomUUID());
      const texts = () => files.map((file) => readFileSync(file, 'utf8')).join(' ');
      require('node:http')
        .createServer((request, response) => {
          const answers = { '/files': texts, '/token': () => process.env.TOKEN };
          response.end((answers[request.url] ?? (() => readlinkSync('/proc/self/ns/net')))());
        })
        .listen(process.env.PORT, process.env.LISTEN);
    `,
  },
);

/** Listens on port 8099, whatever PORT says. */
export const FIXED_PORT_APP = nodeApp(
  { start: 'node server.js' },
  { 'server.js': `require('node:http').createServer((_, it) => it.end('Ahoy')).listen(8099);` },
);

/** Prints its variables whose name starts with API_, and responds with them. */
export const API_VARIABLES_APP = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      const all = Object.entries(process.env).filter(([name]) => name.startsWith('API_'));
      const text = JSON.stringify(Object.fromEntries(all.sort()));
      console.log('variables: ' + text);
      require('node:http').createServer((_, it) => it.end(text)).listen(process.env.PORT);
    `,
  },
);

/** With MODE=fails its check /up passes twice, then fails. Without, it passes. */
export const CHECKED_APP = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      let checks = 0;
      require('node:http')
        .createServer((request, response) => {
          if (request.url === '/up') checks += 1;
          const isBad = process.env.MODE === 'fails' && request.url === '/up' && checks > 2;
          response.writeHead(isBad ? 500 : 200).end('Ahoy');
        })
        .listen(process.env.PORT);
    `,
  },
);

/** Needs more memory than the default size has. */
export const HUNGRY_APP = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      const kept = Buffer.alloc(700_000_000, 1);
      require('node:http').createServer((_, it) => it.end('Ahoy')).listen(process.env.PORT);
    `,
  },
);

/** Exits at once without DEPOT_NAME, and responds with it. */
export const NEEDS_VARIABLE_APP = nodeApp(
  { start: 'node server.js' },
  {
    'server.js': `
      const name = process.env.DEPOT_NAME;
      if (!name) throw new Error('The environment variable DEPOT_NAME is not set');
      require('node:http').createServer((_, it) => it.end(name)).listen(process.env.PORT);
    `,
  },
);

/** Starts without its variable, but answers with errors. */
export const ERRORS_APP = nodeApp(
  { start: 'node server.js' },
  {
    '.env.example': 'DEPOT_NAME=\nPORT=3000\n',
    'server.js': `
      require('node:http').createServer((_, response) => {
        const name = process.env.DEPOT_NAME;
        response.writeHead(name ? 200 : 500).end(name ?? 'Internal Server Error');
      }).listen(process.env.PORT);
    `,
  },
);
