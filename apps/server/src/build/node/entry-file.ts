import type { Argv } from '../build-plan.ts';
import type { NodeProject } from './framework.ts';
import { isForBun } from './package-json.ts';

/** Where programs without a start script begin, in order of precedence. */
const NAMES = ['server', 'app', 'index', 'main'];
const FOLDERS = ['', 'src/', 'server/', 'app/', 'lib/'];
const ENDINGS = ['js', 'mjs', 'cjs', 'ts', 'mts'];
const CANDIDATES = FOLDERS.flatMap((folder) =>
  NAMES.flatMap((name) => ENDINGS.map((ending) => `${folder}${name}.${ending}`)),
);

/** Packages that only servers use. */
const SERVER_PACKAGES = [
  'express',
  'fastify',
  'koa',
  '@hapi/hapi',
  'hapi',
  'hono',
  '@hono/node-server',
  'restify',
  'polka',
  'h3',
  'elysia',
  'connect',
  'micro',
  '@feathersjs/express',
  '@apollo/server',
  'apollo-server',
  'graphql-yoga',
  'socket.io',
  'ws',
  'json-server',
  '@adonisjs/core',
];
const LISTENS = /\.listen\(|createServer\(|\bserve\(|Bun\.serve|Deno\.serve/;

/** Files whose texts decide. */
export const ENTRY_FILES: ReadonlySet<string> = new Set(CANDIDATES);

/** How to start a project without a start script; undefined when no file of it seems to be a server. */
export function entryCommand(project: NodeProject): { argv: Argv; file: string } | undefined {
  const file = entryFile(project);
  if (file === undefined) return undefined;
  return { argv: commandOf(file, project), file };
}

function entryFile({ manifest, checkout }: NodeProject): string | undefined {
  const { files, texts } = checkout;
  // Node's own default, which npm starts as well.
  if (files.includes('server.js')) return 'server.js';
  const { main } = manifest;
  const isServer = SERVER_PACKAGES.some((name) => manifest.dependencies[name] !== undefined);
  const isBuilt = main !== undefined && /^(?:dist|build|out)\//.test(main);
  if (isServer && isBuilt && manifest.scripts.build !== undefined) return main;
  const named = main === undefined ? [] : [main, `${main}.js`, `${main}/index.js`];
  const found = [...named, ...CANDIDATES].filter((file) => files.includes(file));
  return found.find((file) => LISTENS.test(texts[file] ?? '')) ?? (isServer ? found[0] : undefined);
}

function commandOf(file: string, { manifest, checkout }: NodeProject): Argv {
  const { dependencies } = manifest;
  if (isForBun(manifest) || /\bBun\./.test(checkout.texts[file] ?? '')) return ['bun', file];
  if (!/\.m?ts$/.test(file)) return ['node', file];
  // Node itself reads only the TypeScript that needs no compiler.
  const runner = ['tsx', 'ts-node', 'bun'].find((name) => dependencies[name] !== undefined);
  return [runner ?? 'node', file];
}
