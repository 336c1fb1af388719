import {
  CANCEL_COMMAND,
  COMMANDS_SUBSCRIPTION,
  type CommandRun,
  decodeCommands,
  RUN_COMMAND,
  STORED_COMMANDS,
} from '@longshore/contract';
import type { Graphql, LiveObserver } from '../graphql/graphql.ts';
import { type Changed, changedRow } from '../resources/changed-row.ts';
import type { MutationResult } from '../resources/resources.ts';

export type Commands = {
  /** The stored commands of an app, newest first, now and after every change. */
  live(appId: string, observer: LiveObserver<CommandRun[]>): () => void;
  /** Runs a command once in the release of the app that serves. */
  run(appId: string, command: string): Promise<MutationResult>;
  cancel(appId: string, number: number): Promise<MutationResult>;
};

export function createCommands(graphql: Pick<Graphql, 'request' | 'subscribe'>): Commands {
  return {
    live: (appId, observer) =>
      graphql.subscribe<{ commands: unknown }>(
        COMMANDS_SUBSCRIPTION,
        { appId, limit: STORED_COMMANDS },
        { ...observer, next: ({ commands }) => observer.next(decodeCommands(commands)) },
      ),
    async run(id, command) {
      const variables = { id, command };
      const result = await graphql.request<{ run_command: Changed }>(RUN_COMMAND, variables);
      return result.ok ? changedRow(result.data.run_command) : result;
    },
    async cancel(id, number) {
      const variables = { id, number };
      const result = await graphql.request<{ cancel_command: Changed }>(CANCEL_COMMAND, variables);
      return result.ok ? changedRow(result.data.cancel_command) : result;
    },
  };
}
