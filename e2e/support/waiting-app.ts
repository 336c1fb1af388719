/**
 * A small web app whose build waits for a file, so that a test can look at a deployment in the middle. It
 * greets with the text in GREETING and tells of each request.
 */
export const WAITING_APP = {
  'package.json': JSON.stringify({
    name: 'waiting-app',
    private: true,
    scripts: { build: 'node build.js', start: 'node server.js' },
  }),
  'build.js': `
    const { existsSync } = require('node:fs');
    console.log('waiting for the tide');
    const timer = setInterval(() => {
      if (!existsSync(process.env.TIDE)) return;
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
