import { buildLogName } from '@longshore/contract';
import { withoutUserInfo } from '../build/user-info.ts';
import type { ReleaseSpec } from './engine.ts';
import { toEngineFailure } from './failure.ts';
import { FAILURE_MESSAGES } from './failure-messages.ts';
import type { LogSink } from './log-sink.ts';

export type WriteLine = (line: string) => void;

/** Writes to the build log what is begun, before any work, and how it ended. */
export async function withBuildLog(
  { spec, logs, signal }: { spec: ReleaseSpec; logs: LogSink; signal: AbortSignal },
  make: (say: WriteLine) => Promise<string>,
): Promise<string> {
  const name = buildLogName(spec.appId, spec.number);
  let last = '';
  const say: WriteLine = (line) => {
    last = line;
    logs.append(spec.appId, name, line);
  };
  say(`Release ${spec.number}: ${originSentence(spec)}`);
  try {
    const revision = await make(say);
    say('The build is finished');
    return revision;
  } catch (error) {
    const lines = signal.aborted ? ['The build was stopped'] : failureLines(error);
    // What git said is in the log already.
    for (const line of lines) if (line !== last) say(line);
    throw error;
  }
}

function originSentence({ origin }: ReleaseSpec): string {
  return origin.kind === 'image'
    ? `pulling ${origin.image}`
    : `fetching ${withoutUserInfo(origin.url)} at ${origin.ref}`;
}

/** What was seen first, then what it means and what to do: the last line is what people look at. */
function failureLines(error: unknown): string[] {
  const { reason, evidence } = toEngineFailure(error);
  const { whatHappened: happened, whatToDo: nextStep } = FAILURE_MESSAGES[reason];
  return [...evidence.slice(0, 1), `${happened} ${nextStep}`];
}
