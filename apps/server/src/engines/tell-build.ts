import { buildLogName } from '@longshore/contract';
import { withoutUserInfo } from '../build/user-info.ts';
import type { ReleaseSpec } from './engine.ts';
import { EngineFailure } from './failure.ts';
import type { LogSink } from './log-sink.ts';

export type Say = (line: string) => void;

/** Writes to the build log what is begun, before any work, and how it ended. */
export async function tellBuild(
  { spec, logs, signal }: { spec: ReleaseSpec; logs: LogSink; signal: AbortSignal },
  make: (say: Say) => Promise<string>,
): Promise<string> {
  const name = buildLogName(spec.appId, spec.number);
  const say: Say = (line) => logs.append(spec.appId, name, line);
  say(`Release ${spec.number}: ${originSentence(spec)}`);
  try {
    const revision = await make(say);
    say('The build is finished');
    return revision;
  } catch (error) {
    say(signal.aborted ? 'The build was stopped' : failureLine(error));
    throw error;
  }
}

function originSentence({ origin }: ReleaseSpec): string {
  return origin.kind === 'image'
    ? `pulling ${origin.image}`
    : `fetching ${withoutUserInfo(origin.url)} at ${origin.ref}`;
}

function failureLine(error: unknown): string {
  if (!(error instanceof EngineFailure)) return 'The build could not go on';
  const [first] = error.evidence;
  return `Failed (${error.reason})${first === undefined ? '' : `: ${first}`}`;
}
