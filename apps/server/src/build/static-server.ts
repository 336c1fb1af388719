import { createReadStream, existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/*
 * Serves one folder. It runs as a separate program from a copy of this file, as the app's user, so it may only import
 * modules of Node.
 */

/** As in `build-plan.ts`, which this program must not import. */
const SINGLE_PAGE_OPTION = '--single-page';

export type SiteOptions = {
  /** Paths that name no file get the index page, whose script reads the path. */
  isSinglePage?: boolean;
};

type Found = { path: string; size: number; etag: string; modified: Date };
type Result =
  | { status: 200 | 404; found: Found | undefined }
  | { status: 301 | 302; location: string }
  | { status: 405 };

type Site = { folder: string; options: SiteOptions; basePath?: string };

export function createStaticServer(folder: string, options: SiteOptions = {}): Server {
  const site: Site = { folder, options };
  return createServer((request, response) => {
    respond(site, request, response).catch(() => response.destroy());
  });
}

async function respond(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const root = await realpath(site.folder);
  site.basePath ??= await findBasePath(root);
  const url = request.url ?? '/';
  const inSite = withoutBasePath(url, site.basePath);
  const result = await resolveRequest(root, { method: request.method, url, inSite }, site.options);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (result.status === 405) {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  } else if ('location' in result) {
    response.writeHead(result.status, { Location: result.location }).end();
  } else if (result.found === undefined) {
    response.writeHead(404, { 'Content-Type': TEXT }).end('Not found\n');
  } else {
    const path = pathOf(inSite.url ?? '/') ?? '/';
    await send(result.found, { status: result.status, path }, request, response);
  }
}

/** The URL inside the site, or where to send the visitor. */
type InSite = { url: string; location?: undefined } | { url?: undefined; location: string };

/** Removes the path that a site was built for. Its first page is there, because scripts read the path. */
function withoutBasePath(url: string, basePath: string): InSite {
  if (basePath === '') return { url };
  const [path = ''] = url.split(/[?#]/, 1);
  if (path === '/' || path === basePath) return { location: `${basePath}/${queryOf(url)}` };
  return { url: path.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url };
}

const MAX_PAGE_BYTES = 1_048_576;

/** For example `/docs` if the index page loads `/docs/assets/a.js` and the file is `assets/a.js`; otherwise empty. */
async function findBasePath(root: string): Promise<string> {
  const index = await findFile(root, '/index.html');
  if (index === undefined || index.size > MAX_PAGE_BYTES) return '';
  const page = await readFile(index.path, 'utf8');
  const [, url] =
    /<(?:script|link)\b[^>]*\b(?:src|href)=["']?(\/[^"'\s>/][^"'\s>]*\.(?:m?js|css))\b/.exec(
      page,
    ) ?? [];
  const path = url === undefined ? undefined : pathOf(url);
  if (path === undefined || (await findFile(root, path)) !== undefined) return '';
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) {
    if ((await findFile(root, path.slice(at))) !== undefined) return path.slice(0, at);
  }
  return '';
}

async function resolveRequest(
  root: string,
  request: { method: string | undefined; url: string; inSite: InSite },
  options: SiteOptions,
): Promise<Result> {
  const { method, inSite } = request;
  if (method !== 'GET' && method !== 'HEAD') return { status: 405 };
  if (inSite.url === undefined) return { status: 302, location: inSite.location };
  const { url } = inSite;
  const path = pathOf(url);
  if (path === undefined) return { status: 404, found: undefined };
  const found = await find(root, path.endsWith('/') ? `${path}index.html` : path);
  if (found !== undefined && found !== 'folder') return { status: 200, found };
  const page = await findPage(root, path);
  if (page !== undefined) return { status: 200, found: page };
  const hasIndex = found === 'folder' && (await findFile(root, `${path}/index.html`)) !== undefined;
  if (hasIndex) return { status: 301, location: folderUrl(request.url) };
  return await missingPage(root, path, options);
}

/** The page `about.html` of the path `/about` or `/about/`. */
async function findPage(root: string, path: string): Promise<Found | undefined> {
  const name = path.replace(/\/$/, '');
  return name === '' ? undefined : await findFile(root, `${name}.html`);
}

/** A missing file, for example a script of an earlier release, must not get a page instead. */
async function missingPage(
  root: string,
  path: string,
  { isSinglePage }: SiteOptions,
): Promise<Result> {
  if (isSinglePage && extname(path) === '') {
    const page = (await findFile(root, '/200.html')) ?? (await findFile(root, '/index.html'));
    if (page !== undefined) return { status: 200, found: page };
  }
  return { status: 404, found: await findFile(root, '/404.html') };
}

async function findFile(root: string, path: string): Promise<Found | undefined> {
  const found = await find(root, path);
  return found === 'folder' ? undefined : found;
}

function folderUrl(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return `${encodeURI(decoded(path) ?? '')}/${queryOf(url)}`;
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at);
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
  return { path: real, size: stats.size, etag, modified: stats.mtime };
}

async function send(
  { path, size, etag, modified }: Found,
  { status, path: asked }: { status: 200 | 404; path: string },
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('ETag', etag);
  response.setHeader('Last-Modified', modified.toUTCString());
  response.setHeader('Cache-Control', status === 200 ? cacheControl(asked) : REVALIDATE);
  if (status === 200 && (headers['if-none-match'] ?? '').split(/,\s*/).includes(etag)) {
    response.writeHead(304).end();
    return;
  }
  const type = CONTENT_TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream';
  response.setHeader('Content-Type', type);
  response.setHeader('Accept-Ranges', 'bytes');
  const isFresh = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = status === 200 && isFresh ? parseRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const partial = range && { 'Content-Range': `bytes ${start}-${end}/${size}` };
  const length = { 'Content-Length': end - start + 1 };
  response.writeHead(partial === undefined ? status : 206, { ...length, ...partial });
  if (method === 'HEAD' || size === 0) response.end();
  else await pipeline(createReadStream(path, { start, end }), response);
}

/** Browsers revalidate with each request, so that a new release is visible at once. */
const REVALIDATE = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Folders in which build tools write only files with a hash of their content in the name. */
const HASHED_FOLDERS = /^\/(?:_next\/static|_app\/immutable|_astro|_nuxt(?!\/builds))\//;
/** A hash of a build tool: in Vite's folder 8 characters with a digit or capital letter, elsewhere hexadecimal. */
const HASHED_NAME =
  /(?:\/assets\/[^/]*-(?=[\w-]{0,7}[A-Z\d])[\w-]{8}|[.-](?=[a-f]*\d)[\da-f]{8,32}(?:\.chunk|\.min)?)\.\w+$/;

export function cacheControl(path: string): string {
  const isPage = /(?:\/|\.html?)$/.test(path);
  return !isPage && (HASHED_FOLDERS.test(path) || HASHED_NAME.test(path)) ? IMMUTABLE : REVALIDATE;
}

/** One range of bytes. Several at once are answered with the whole file, which is allowed. */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const start = Math.max(0, size - Number(last));
    return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

const TEXT = 'text/plain; charset=utf-8';
const CONTENT_TYPES: Record<string, string> = {
  '.atom': 'application/atom+xml',
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
 * address; options anywhere.
 */
if (import.meta.main) {
  const args = process.argv.slice(2);
  const words = args.filter((arg) => !arg.startsWith('--'));
  // biome-ignore lint/style/noProcessEnv: a separate program; the port may be set only in its environment
  const [folders = '.', port = process.env.PORT, host = '0.0.0.0'] = words;
  const names = folders.split(',');
  const folder = names.find((name) => existsSync(join(name, 'index.html'))) ?? '.';
  const server = createStaticServer(folder, { isSinglePage: args.includes(SINGLE_PAGE_OPTION) });
  server.listen(Number(port), host);
  process.once('SIGTERM', () => {
    server.close();
    server.closeIdleConnections();
  });
}
