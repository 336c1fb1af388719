import type { CommandState } from '@longshore/contract';
import type { Database } from '../db/database.ts';

export const ACTIVE: CommandState[] = ['queued', 'running'];

/** The commands of an owner that run or are about to. */
export function activeCommands(db: Database, ownerId: string) {
  return db
    .selectFrom('deploy.commands as command')
    .innerJoin('public.resources as app', 'app.id', 'command.app_id')
    .where('app.user_id', '=', ownerId)
    .where('command.state', 'in', ACTIVE);
}
