import type { SecurityEventKind } from '@longshore/contract';
import type { Context } from 'hono';

/** Records a change with the operator who made it. `whom`: the user or the address it concerns. */
export type AuditChange = (
  context: Context,
  kind: SecurityEventKind,
  details: Record<string, string>,
) => Promise<void>;
