import { sql } from 'kysely';
import { causeOf } from './cause.ts';
import type { Write } from './write.ts';

/** What is set to have an app made anew of the values it has. */
export function deployAnew(write: Write) {
  return { cause: causeOf(write), redeploys: sql<string>`redeploys + 1` };
}
