import { CANCEL_COMMAND, COMMANDS_SUBSCRIPTION, RUN_COMMAND } from '@longshore/contract';
import { expect, it } from 'vitest';
import type { RequestResult } from '../http/request-result.ts';
import { createCommands } from './create-commands.ts';

function prepare(result: unknown) {
  const requests: unknown[] = [];
  const commands = createCommands({
    async request<Data>(query: string, variables?: object) {
      requests.push([query, variables]);
      return result as RequestResult<Data>;
    },
    subscribe(query, variables, observer) {
      requests.push([query, variables]);
      observer.next({ commands: [{ number: 1, state: 'running' }, null] } as never);
      return () => {};
    },
  });
  return { commands, requests };
}

it('runs and cancels a command', async () => {
  const run = prepare({ ok: true, data: { run_command: { id: 'app' } } });
  expect(await run.commands.run('app', 'env')).toEqual({ ok: true, id: 'app' });
  expect(run.requests).toEqual([[RUN_COMMAND, { id: 'app', command: 'env' }]]);
  const cancel = prepare({ ok: true, data: { cancel_command: null } });
  expect(await cancel.commands.cancel('app', 7)).toMatchObject({ error: { error: 'not-found' } });
  expect(cancel.requests).toEqual([[CANCEL_COMMAND, { id: 'app', number: 7 }]]);
});

it('follows the commands of an app', () => {
  const { commands, requests } = prepare(undefined);
  const seen: unknown[] = [];
  commands.live('app', { next: (runs) => seen.push(runs), error() {} });
  expect(requests).toEqual([[COMMANDS_SUBSCRIPTION, { appId: 'app', limit: 20 }]]);
  expect(seen).toMatchObject([[{ number: 1, state: 'running' }]]);
});
