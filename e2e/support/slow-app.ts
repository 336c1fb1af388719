/** A web app that begins to listen once a file is there, as slow as a test wishes. It repeats what it is sent. */
export const SLOW_APP = {
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
      if (!existsSync(process.env.TIDE)) return;
      clearInterval(timer);
      server.listen(process.env.PORT);
    }, 20);
    process.on('SIGTERM', () => process.exit(0));
  `,
};
