import type { Context } from 'hono';
import type { z } from 'zod';
import { Problem } from './problem.ts';

/** The request's body as a value to trust. An empty body counts as an empty object. */
export async function jsonBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await context.req.text();
  const parsed = schema.safeParse(text === '' ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Problem(400, 'invalid-request', 'The request payload is incorrect');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem(400, 'invalid-request', 'The request payload is incorrect', { cause });
  }
}
