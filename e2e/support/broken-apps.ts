/** Apps that fail, each in its own way. */
function nodeApp(scripts: Record<string, string>, files: Record<string, string>) {
  return { 'package.json': JSON.stringify({ private: true, scripts }), ...files };
}

export const NOTHING = { 'README.md': 'Nothing here runs.' };

export const FAILING_BUILD = nodeApp(
  { build: 'node build.js', start: 'node server.js' },
  { 'build.js': `console.error('no wood left for the mast'); process.exit(3);` },
);

export const SILENT = nodeApp(
  { start: 'node server.js' },
  { 'server.js': `console.log('asleep below deck'); setInterval(() => {}, 1000);` },
);

export const CRASHING = nodeApp(
  { start: 'node server.js' },
  { 'server.js': `console.error('hit an iceberg'); process.exit(7);` },
);

/** Serves until somebody asks for /iceberg. */
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
