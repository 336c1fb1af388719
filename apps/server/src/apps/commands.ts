import {
  COMMAND_DEFAULT_SECONDS,
  type CommandState,
  commandSecondsProblem,
  decodeServing,
  isRecord,
  runCommandProblem,
  STORED_COMMANDS,
} from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { invalidValue, ResourceProblem } from '../db/resources.ts';
import { ACTIVE, activeCommands } from './active-commands.ts';
import { type EditContext, type Editor, lockApp } from './change-app.ts';
import { requireDeployPermission } from './deploy-permission.ts';
import { lockAppsOf } from './owner-quotas.ts';
import { liveReleases } from './releases.ts';

export type NewCommand = { appId: string; command: string; timeoutSeconds: unknown };
export type CommandRef = { appId: string; number: number };
export type QueuedCommand = CommandRef & { text: string; release: number; timeoutMs: number };
export type EndedCommand = CommandRef & {
  state: CommandState;
  /** With secrets masked. Undefined: as stored. */
  text?: string;
  exitCode?: number | undefined;
  message?: string | undefined;
};

/** Of all apps of an owner. */
const MAX_ACTIVE_OF_OWNER = 4;
const STORED_DAYS = 30;

/**
 * Queues a command, which the command runner starts. Returns false if the app does not exist or the editor may not change it.
 */
export async function queueCommand(
  tx: Database,
  { appId, command, timeoutSeconds }: NewCommand,
  { editor, rules }: Pick<EditContext, 'editor' | 'rules'>,
): Promise<boolean> {
  const app = await lockApp(tx, appId, editor);
  if (app === undefined) return false;
  const actor = await actorOf(tx, editor);
  if (isRecord(actor) && actor.token !== undefined) {
    throw new ResourceProblem(
      'constraint',
      'Personal access tokens cannot run commands. Sign in to run one.',
    );
  }
  const problem = runCommandProblem(command);
  if (problem !== undefined) throw invalidValue('command', problem);
  const seconds = timeoutSeconds ?? COMMAND_DEFAULT_SECONDS;
  const secondsProblem = commandSecondsProblem(seconds);
  if (secondsProblem !== undefined) throw invalidValue('timeout_seconds', secondsProblem);
  await requireDeployPermission(tx, app.ownerId, rules.deployPolicy);
  await lockAppsOf(tx, app.ownerId);
  await requireNoOther(tx, appId, app.ownerId);
  const release = await releaseOf(tx, appId);
  // As much as one further awake app of the same size.
  const counted = (instances: number) => ({
    deleted: false,
    values: { instances, resourceTier: release.tier },
  });
  const change = { before: counted(0), after: counted(1) };
  await rules.quotas.require(tx, { appId: undefined, ownerId: app.ownerId, ...change });
  const number = sql<number>`(select coalesce(max(number), 0) + 1 from deploy.commands where app_id = ${appId})`;
  await tx
    .insertInto('deploy.commands')
    .values({
      app_id: appId,
      number,
      command: command.trim(),
      release: release.number,
      timeout_seconds: Number(seconds),
      actor: JSON.stringify(actor),
    })
    .execute();
  await removeExcess(tx, appId);
  return true;
}

/** Cancelling a command that has ended changes nothing. Returns false if the app does not exist. */
export async function cancelCommand(
  tx: Database,
  { appId, number }: CommandRef,
  editor: Editor,
): Promise<boolean> {
  if ((await lockApp(tx, appId, editor)) === undefined) return false;
  const { numUpdatedRows } = await commandRow(tx, { appId, number })
    .set({ is_cancel_requested: true })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  throw new ResourceProblem('invalid', `Command ${number} does not exist`);
}

async function actorOf(tx: Database, editor: Editor): Promise<unknown> {
  if (editor.role === 'admin') return {};
  const { rows } = await sql<{ actor: unknown }>`
    select deploy.person(${editor.userId}::uuid, ${editor.sessionId ?? null}::uuid) as actor
  `.execute(tx);
  return rows[0]?.actor ?? {};
}

async function requireNoOther(tx: Database, appId: string, ownerId: string): Promise<void> {
  const active = await activeCommands(tx, ownerId).select('command.app_id').execute();
  if (active.some((command) => command.app_id === appId)) {
    throw new ResourceProblem(
      'conflict',
      'Another command of this app is running. Wait until it has ended, or cancel it.',
    );
  }
  if (active.length < MAX_ACTIVE_OF_OWNER) return;
  throw new ResourceProblem(
    'conflict',
    `${MAX_ACTIVE_OF_OWNER} commands of your apps are running. Wait until one has ended.`,
  );
}

/** The release that serves, otherwise the newest one that did: its build is kept. */
async function releaseOf(tx: Database, appId: string): Promise<{ number: number; tier: string }> {
  const { serving } = await tx
    .selectFrom('public.resources')
    .select('serving')
    .where('id', '=', appId)
    .executeTakeFirstOrThrow();
  const live = await liveReleases(tx, appId);
  const number = decodeServing(serving)?.release;
  const release = live.find((candidate) => candidate.number === number) ?? live[0];
  if (release === undefined) {
    throw new ResourceProblem(
      'conflict',
      'The app has no release that ran yet. Deploy it first, then run the command.',
    );
  }
  return { number: release.number, tier: release.values.resourceTier };
}

async function removeExcess(tx: Database, appId: string): Promise<void> {
  const stored = tx
    .selectFrom('deploy.commands')
    .select('number')
    .where('app_id', '=', appId)
    .orderBy('number', 'desc')
    .limit(STORED_COMMANDS);
  await tx
    .deleteFrom('deploy.commands')
    .where('app_id', '=', appId)
    .where('number', 'not in', stored)
    .execute();
}

/** What the command runner reads and writes. Nothing else writes a state. */
export type CommandStore = {
  /** Oldest first. */
  queued(): Promise<QueuedCommand[]>;
  /** Commands that run and that somebody cancelled. */
  cancelled(): Promise<CommandRef[]>;
  /** The command starts. `text`: with secrets masked. Returns false if it is not queued any more: it must not run again. */
  start(command: CommandRef, text: string): Promise<boolean>;
  end(end: EndedCommand): Promise<void>;
  /** At the start of the server: those that an earlier one ran have been ended. */
  interruptRunning(message: string): Promise<void>;
  /** Except the newest one of each app: numbers, which name logs, must not start again. */
  removeOld(): Promise<void>;
};

export function createCommandStore(db: Database): CommandStore {
  const inState = (...states: CommandState[]) =>
    db.selectFrom('deploy.commands').where('state', 'in', states);
  return {
    async queued() {
      const rows = await inState('queued').selectAll().orderBy('started_at').execute();
      return rows.map((row) => ({
        appId: row.app_id,
        number: row.number,
        text: row.command,
        release: row.release,
        timeoutMs: row.timeout_seconds * 1_000,
      }));
    },
    async cancelled() {
      const rows = await inState(...ACTIVE)
        .select(['app_id', 'number'])
        .where('is_cancel_requested', '=', true)
        .execute();
      return rows.map((row) => ({ appId: row.app_id, number: row.number }));
    },
    async start(command, text) {
      const { numUpdatedRows } = await commandRow(db, command)
        .set({ state: 'running', command: text })
        .where('state', '=', 'queued')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async end({ state, text, exitCode, message, ...command }) {
      await commandRow(db, command)
        .set({
          state,
          ...(text === undefined ? {} : { command: text }),
          exit_code: exitCode ?? null,
          message: message ?? null,
          ended_at: sql<Date>`now()`,
        })
        .execute();
    },
    async interruptRunning(message) {
      await db
        .updateTable('deploy.commands')
        .set({ state: 'interrupted', message, ended_at: sql<Date>`now()` })
        .where('state', '=', 'running')
        .execute();
    },
    async removeOld() {
      await db
        .deleteFrom('deploy.commands as old')
        .where('state', 'not in', ACTIVE)
        .where(sql<boolean>`started_at < now() - ${STORED_DAYS} * interval '1 day'`)
        .where(
          sql<boolean>`number < (select max(number) from deploy.commands where app_id = old.app_id)`,
        )
        .execute();
    },
  };
}

function commandRow(db: Database, { appId, number }: CommandRef) {
  return db.updateTable('deploy.commands').where('app_id', '=', appId).where('number', '=', number);
}
