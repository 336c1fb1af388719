import { serveStatic } from '@hono/node-server/serve-static';
import type { ConsoleConfig } from '@longshore/contract';
import { Hono, type MiddlewareHandler } from 'hono';

type ConsoleDeps = { folder: string; config(): Promise<ConsoleConfig> };

/** Serves the files of the console, its configuration, and `index.html` for every client-side route. */
export function createConsole({ folder, config }: ConsoleDeps): Hono {
  return new Hono()
    .get('/config.json', cached('no-cache'), async (context) => context.json(await config()))
    .use('/assets/*', cached('public, max-age=31536000, immutable'))
    .use('/assets/*', serveStatic({ root: folder, precompressed: true }))
    .get('/assets/*', (context) => context.notFound())
    .use('*', cached('no-cache'))
    .get('*', serveStatic({ root: folder, precompressed: true }))
    .get('*', serveStatic({ root: folder, path: 'index.html', precompressed: true }));
}

function cached(control: string): MiddlewareHandler {
  return async (context, next) => {
    context.header('Cache-Control', control);
    await next();
  };
}
