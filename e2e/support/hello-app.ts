/** A web app with nothing to install or build, which answers every request with its greeting. */
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
