import type { Context } from 'hono';
import type { z } from 'zod';
import { Problem } from './problem.ts';

/** Postgres cannot store it in text. */
const NULL_CHARACTER = /\\u0000/;

/** Parses the request's body. An empty body counts as an empty object. */
export async function jsonBody<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await context.req.text();
  if (NULL_CHARACTER.test(text)) throw incorrect();
  const parsed = schema.safeParse(text === '' ? {} : parseJson(text));
  if (parsed.success) return parsed.data;
  throw incorrect();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw incorrect({ cause });
  }
}

function incorrect(options?: ErrorOptions): Problem {
  return new Problem(400, 'invalid-request', 'The request payload is incorrect', options);
}
