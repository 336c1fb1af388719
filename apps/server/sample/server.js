import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('index.html', import.meta.url), 'utf8');
const startedAt = new Date();
let requests = 0;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/health') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
    return;
  }
  if (pathname !== '/') {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    return;
  }
  requests += 1;
  console.log(`${request.method} ${pathname}: request ${requests}`);
  const facts = {
    requests: String(requests),
    startedAt: startedAt.toISOString().replace('T', ' ').slice(0, 19),
    node: process.version,
  };
  const html = page.replace(/\{\{(\w+)\}\}/g, (_, name) => facts[name] ?? '');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
});

// Longshore tells the app which port to listen on.
server.listen(process.env.PORT ?? 3000, () => {
  console.log(`Listening on port ${process.env.PORT ?? 3000}`);
});

process.on('SIGTERM', () => server.close(() => process.exit(0)));
