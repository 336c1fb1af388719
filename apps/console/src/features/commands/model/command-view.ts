import { type CommandRun, type CommandState, isActiveCommand } from '@longshore/contract';
import { durationText } from '../../../lib/relative-time.ts';
import { MESSAGES } from '../messages.ts';

export type CommandTone = 'ok' | 'bad' | 'busy' | 'idle';

export type CommandView = {
  state: string;
  tone: CommandTone;
  /** What is known about its end, its release and who ran it. */
  facts: string[];
  isActive: boolean;
};

const TONES: Record<CommandState, CommandTone> = {
  queued: 'busy',
  running: 'busy',
  succeeded: 'ok',
  failed: 'bad',
  cancelled: 'idle',
  'timed-out': 'bad',
  interrupted: 'bad',
};

/** `nowMs`: for the duration of a command that runs. */
export function commandView(run: CommandRun, nowMs: number): CommandView {
  const { state, exitCode, message, release, actor, startedAt, endedAt } = run;
  const ms = (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt);
  return {
    state: MESSAGES.states[state],
    tone: TONES[state],
    isActive: isActiveCommand(run),
    facts: [
      ...(exitCode === undefined || exitCode === 0 ? [] : [MESSAGES.exitCode(exitCode)]),
      ...(message === '' ? [] : [message]),
      durationText(Math.max(0, ms)),
      MESSAGES.inRelease(release),
      ...(actor === undefined || actor.name === '' ? [] : [MESSAGES.by(actor.name)]),
    ],
  };
}
