import { createReadStream, existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/*
 * Serves one folder. It runs as a separate program from a copy of this file, as the app's user, so it may only import
 * modules of Node.
 */

type Found = { path: string; size: number; etag: string };
type Result =
  | { status: 200 | 404; found: Found | undefined }
  | { status: 301; location: string }
  | { status: 405 };

export function createStaticServer(folder: string): Server {
  return createServer((request, response) => {
    respond(folder, request, response).catch(() => response.destroy());
  });
}

async function respond(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result = await resolveRequest(await realpath(folder), request);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (result.status === 405) {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  } else if (result.status === 301) {
    response.writeHead(301, { Location: result.location }).end();
  } else if (result.found === undefined) {
    response.writeHead(404, { 'Content-Type': TEXT }).end('Not found\n');
  } else {
    await send(result.found, result.status, request, response);
  }
}

async function resolveRequest(
  root: string,
  { method, url = '/' }: IncomingMessage,
): Promise<Result> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 };
  const path = pathOf(url);
  if (path === undefined) return { status: 404, found: undefined };
  const found = await find(root, path.endsWith('/') ? `${path}index.html` : path);
  if (found === 'folder') return { status: 301, location: `${encodeURI(path)}/` };
  if (found !== undefined) return { status: 200, found };
  const page = await find(root, '/404.html');
  return { status: 404, found: page === 'folder' ? undefined : page };
}

/** Undefined for paths outside the folder and for hidden files such as `.git` and `.env`. */
export function pathOf(url: string): string | undefined {
  const [encoded = ''] = url.split(/[?#]/, 1);
  const path = decoded(encoded);
  if (path === undefined || !path.startsWith('/') || /[\0\\]/.test(path)) return undefined;
  const parts = path.split('/').slice(1);
  const isHidden = parts.some((part, at) => {
    return part.startsWith('.') && !(at === 0 && part === '.well-known');
  });
  const hasGap = parts.slice(0, -1).some((part) => part === '');
  return isHidden || hasGap ? undefined : path;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Links are followed only as long as they stay inside. */
async function find(root: string, path: string): Promise<Found | 'folder' | undefined> {
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined || !`${real}${sep}`.startsWith(`${root}${sep}`)) return undefined;
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isDirectory()) return 'folder';
  if (!stats?.isFile()) return undefined;
  const etag = `"${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`;
  return { path: real, size: stats.size, etag };
}

async function send(
  { path, size, etag }: Found,
  status: 200 | 404,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('ETag', etag);
  // Browsers revalidate with each request, so that a new release is visible at once.
  response.setHeader('Cache-Control', 'no-cache');
  if (status === 200 && (headers['if-none-match'] ?? '').split(/,\s*/).includes(etag)) {
    response.writeHead(304).end();
    return;
  }
  const type = CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': size });
  if (method === 'HEAD' || size === 0) response.end();
  else await pipeline(createReadStream(path, { end: size - 1 }), response);
}

const TEXT = 'text/plain; charset=utf-8';
const CONTENT_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.otf': 'font/otf',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': TEXT,
  '.wasm': 'application/wasm',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/**
 * Runs as a program. Arguments: the possible folders of the site, separated by commas; the port, by default PORT; the listen
 * address.
 */
if (import.meta.main) {
  // biome-ignore lint/style/noProcessEnv: a separate program; the port may be set only in its environment
  const [, , folders = '.', port = process.env.PORT, host = '0.0.0.0'] = process.argv;
  const names = folders.split(',');
  const folder = names.find((name) => existsSync(join(name, 'index.html'))) ?? '.';
  const server = createStaticServer(folder);
  server.listen(Number(port), host);
  process.once('SIGTERM', () => {
    server.close();
    server.closeIdleConnections();
  });
}
