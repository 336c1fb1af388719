import { typedCommand } from '../build/typed-command.ts';
import { type AppCommand, commandLine, type ReleaseSpec } from './engine.ts';
import { EngineFailure } from './failure.ts';
import type { LogSink } from './log-sink.ts';

export type CommandRequest = { spec: ReleaseSpec; command: AppCommand };

/** The exit code with which a shell reports a program that does not exist. */
export const COMMAND_NOT_FOUND = 127;

type Running = {
  appId: string;
  id: string;
  release: number;
  stopping: AbortController;
  ended: Promise<unknown>;
};

/** The commands that an engine runs now. */
export type RunningCommands = {
  /** Refuses a second command with the same id. `work` ends the command before it settles. */
  run<Result>(
    request: CommandRequest & { signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
  ofApp(appId: string): { id: string; release: number }[];
  /** Ends all commands of an app. */
  end(appId: string): Promise<void>;
};

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The release as if the command were its start command. What the command sets has priority over the variables of the app. */
export function withStartCommand(spec: ReleaseSpec, { text }: AppCommand): ReleaseSpec {
  const env = { ...spec.env, ...typedCommand(text).env };
  return { ...spec, env, run: { ...spec.run, command: text } };
}

export function createRunningCommands({ logs }: { logs: LogSink }): RunningCommands {
  const running = new Set<Running>();
  const ofApp = (appId: string) => [...running].filter((command) => command.appId === appId);

  return {
    ofApp,
    async run({ spec: { appId, number: release }, command, signal }, work) {
      const { id, text, logName } = command;
      signal.throwIfAborted();
      if (!ID.test(id)) throw new Error(`Not the id of a command: ${id}`);
      if (ofApp(appId).some((other) => other.id === id)) {
        throw new EngineFailure('engine-failed', ['The command is already running']);
      }
      logs.append(appId, logName, commandLine(text));
      const stopping = new AbortController();
      const ended = work(AbortSignal.any([signal, stopping.signal]));
      const entry = { appId, id, release, stopping, ended };
      running.add(entry);
      try {
        return await ended;
      } finally {
        running.delete(entry);
      }
    },
    async end(appId) {
      const commands = ofApp(appId);
      for (const { stopping } of commands) stopping.abort();
      await Promise.allSettled(commands.map(({ ended }) => ended));
    },
  };
}
