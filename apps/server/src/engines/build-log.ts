import { buildLogName } from '@longshore/contract';
import { withoutUserInfo } from '../build/git-address.ts';
import type { ReleaseSpec } from './engine.ts';
import { toEngineFailure } from './failure.ts';
import { FAILURE_MESSAGES } from './failure-messages.ts';
import type { LogSink } from './log-sink.ts';

export type WriteLine = (line: string) => void;

/** Runs a build and writes its first line, before any work, and its outcome to the build log. */
export async function withBuildLog<Result>(
  { spec, logs, signal }: { spec: ReleaseSpec; logs: LogSink; signal: AbortSignal },
  build: (writeLine: WriteLine) => Promise<Result>,
): Promise<Result> {
  const name = buildLogName(spec.appId, spec.number);
  let lastLine = '';
  const writeLine: WriteLine = (line) => {
    lastLine = line;
    logs.append(spec.appId, name, line);
  };
  writeLine(`Release ${spec.number}: ${describeOrigin(spec)}`);
  try {
    const built = await build(writeLine);
    writeLine('Build finished');
    return built;
  } catch (error) {
    const lines = signal.aborted ? ['Build stopped'] : failureLines(error);
    // The output of git is in the log already, and may be the evidence too.
    for (const line of lines) if (line !== lastLine) writeLine(line);
    throw error;
  }
}

function describeOrigin({ origin }: ReleaseSpec): string {
  return origin.kind === 'image'
    ? `pulling ${origin.image}`
    : `fetching ${withoutUserInfo(origin.url)} at ${origin.ref}`;
}

/** The evidence, then what happened and what to do: people look at the last line of a log first. */
function failureLines(error: unknown): string[] {
  const { reason, evidence } = toEngineFailure(error);
  const { whatHappened, whatToDo } = FAILURE_MESSAGES[reason];
  // A status message has the evidence below, the log has it above.
  return [...evidence.slice(0, 1), `${whatHappened} ${whatToDo.replace(' below', ' above')}`];
}
