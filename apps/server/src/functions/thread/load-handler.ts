import type { FunctionContext } from '../messages.ts';

export type Handler = (request: Request, context: FunctionContext) => unknown;

/** What the public clients send. */
const DEFAULT_METHODS = ['POST'];

/** A module's default export, and the methods it says it answers. */
export async function loadHandler(url: string): Promise<{ handler: Handler; methods: string[] }> {
  const { default: handler, methods = DEFAULT_METHODS }: Record<string, unknown> = await import(
    url
  );
  if (typeof handler !== 'function') throw new TypeError('The default export is no function');
  if (!Array.isArray(methods) || !methods.every((method) => typeof method === 'string')) {
    throw new TypeError('The export "methods" is no list of words');
  }
  return { handler: handler as Handler, methods: methods.map((method) => method.toUpperCase()) };
}
