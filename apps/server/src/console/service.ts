import { serveStatic } from '@hono/node-server/serve-static';
import type { ConsoleConfig } from '@longshore/contract';
import { Hono, type MiddlewareHandler } from 'hono';

type ConsoleDeps = { folder: string; config(): Promise<ConsoleConfig> };

/** Serves the files of the console, its configuration, and `index.html` for every client-side route. */
export function createConsole({ folder, config }: ConsoleDeps): Hono {
  return new Hono()
    .get('/config.json', cacheControl('no-cache'), async (context) => context.json(await config()))
    .use('/assets/*', cacheControl('public, max-age=31536000, immutable'))
    .use('/assets/*', serveStatic({ root: folder, precompressed: true }))
    .get('/assets/*', (context) => context.notFound())
    .use('*', cacheControl('no-cache'))
    .get('*', serveStatic({ root: folder, precompressed: true }))
    .get('*', serveStatic({ root: folder, path: 'index.html', precompressed: true }));
}

function cacheControl(value: string): MiddlewareHandler {
  return async (context, next) => {
    context.header('Cache-Control', value);
    await next();
  };
}
