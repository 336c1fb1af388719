import { createStore, type Services } from '@longshore/client';
import { type CommandRun, isActiveCommand } from '@longshore/contract';
import { failure } from './failure.ts';

/** The commands of every app, in memory. */
export function createFakeCommands() {
  const runs = createStore<CommandRun[]>([]);
  let failureMessage: string | undefined;
  const change = (number: number, end: Partial<CommandRun>) =>
    runs.set(runs.state().map((run) => (run.number === number ? { ...run, ...end } : run)));

  const service: Services['commands'] = {
    live(_, observer) {
      const report = () => observer.next(runs.state());
      report();
      return runs.subscribe(report);
    },
    async run(appId, command) {
      if (failureMessage !== undefined) return failure(failureMessage);
      const number = (runs.state()[0]?.number ?? 0) + 1;
      const startedAt = new Date().toISOString();
      const started = { exitCode: undefined, message: '', release: 1, endedAt: undefined };
      runs.set([{ number, command, state: 'running', startedAt, ...started }, ...runs.state()]);
      return { ok: true, id: appId };
    },
    async cancel(appId, number) {
      const run = runs.state().find((each) => each.number === number);
      if (run !== undefined && isActiveCommand(run)) {
        change(number, { state: 'cancelled', endedAt: run.startedAt });
      }
      return { ok: true, id: appId };
    },
  };
  return {
    service,
    runs,
    /** Ends a command. */
    end: change,
    fail: (message: string | undefined) => {
      failureMessage = message;
    },
  };
}
