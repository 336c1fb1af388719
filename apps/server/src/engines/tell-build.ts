import { buildLogName } from '@longshore/contract';
import { withoutUserInfo } from '../build/user-info.ts';
import type { ReleaseSpec } from './engine.ts';
import { failureOf } from './failure.ts';
import type { LogSink } from './log-sink.ts';
import { EXPLANATIONS } from './reasons.ts';

export type Say = (line: string) => void;

/** Writes to the build log what is begun, before any work, and how it ended. */
export async function tellBuild(
  { spec, logs, signal }: { spec: ReleaseSpec; logs: LogSink; signal: AbortSignal },
  make: (say: Say) => Promise<string>,
): Promise<string> {
  const name = buildLogName(spec.appId, spec.number);
  let last = '';
  const say: Say = (line) => {
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
  const { reason, evidence } = failureOf(error);
  const { happened, nextStep } = EXPLANATIONS[reason];
  return [...evidence.slice(0, 1), `${happened} ${nextStep}`];
}
