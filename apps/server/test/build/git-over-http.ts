import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Runs git as a CGI program: the request is in its environment, the response is one stream of headers and body. */
export function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  repositories: string,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: repositories,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'git',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  // The client has disconnected.
  backend.stdin.on('error', () => {});
  forwardResponse(backend.stdout, response);
}

function forwardResponse(cgiOutput: NodeJS.ReadableStream, response: ServerResponse): void {
  let head: Buffer | undefined = Buffer.alloc(0);
  cgiOutput.on('data', (chunk: Buffer) => {
    if (head === undefined) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    writeHead(head.subarray(0, end).toString('latin1'), response);
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  cgiOutput.once('end', () => response.end());
}

function writeHead(text: string, response: ServerResponse): void {
  for (const line of text.split('\r\n')) {
    const [name = '', value = ''] = line.split(': ', 2);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
}
