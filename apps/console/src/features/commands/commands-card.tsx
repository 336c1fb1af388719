import { type CommandRun, isActiveCommand, runCommandProblem } from '@longshore/contract';
import { clsx } from 'clsx';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { ChevronDown, ChevronUp } from '../../ui/icons.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { type CommandTone, commandView } from './model/command-view.ts';

const TICK_MS = 1_000;

type CommandsCardProps = {
  appId: string;
  /** The output of a command, live while it runs. */
  output(command: number, isActive: boolean): ReactNode;
};

/** Runs a command once in the app, and lists the last ones with their output. */
export function CommandsCard({ appId, output }: CommandsCardProps) {
  const { commands } = useServices();
  const toast = useToast();
  const runs = useCommands(appId);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [opened, setOpened] = useState<number>();

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = runCommandProblem(text);
    setProblem(found);
    if (found !== undefined || isSending) return;
    setSending(true);
    const result = await commands.run(appId, text.trim());
    setSending(false);
    if (result.ok) {
      // It gets the next number.
      setOpened((runs[0]?.number ?? 0) + 1);
      setText('');
    } else setProblem(result.error.message);
  }

  async function cancel(number: number): Promise<void> {
    const result = await commands.cancel(appId, number);
    if (result.ok) return;
    toast({ tone: 'bad', title: MESSAGES.cancelFailed, text: result.error.message });
  }

  return (
    <Card title={MESSAGES.title}>
      <form noValidate className="grid gap-3 p-4" onSubmit={(event) => void run(event)}>
        <p className="text-muted">{MESSAGES.text}</p>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-64">
            <Field
              label={MESSAGES.label}
              placeholder={MESSAGES.example}
              autoComplete="off"
              spellCheck={false}
              value={text}
              problem={problem}
              onChange={(event) => {
                setText(event.target.value);
                setProblem(undefined);
              }}
            />
          </div>
          <Button
            type="submit"
            className="sm:mt-7"
            isBusy={isSending}
            isDisabled={runs.some(isActiveCommand)}
          >
            {MESSAGES.run}
          </Button>
        </div>
      </form>
      {runs.length > 0 && (
        <ul aria-label={MESSAGES.listLabel} className="divide-y divide-line border-t border-line">
          {runs.map((each) => (
            <CommandItem
              key={each.number}
              run={each}
              isOpen={opened === each.number}
              output={output}
              onToggle={() => setOpened(opened === each.number ? undefined : each.number)}
              onCancel={() => void cancel(each.number)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

const TONES: Record<CommandTone, string> = {
  ok: 'bg-ok-wash text-ok',
  bad: 'bg-bad-wash text-bad',
  busy: 'bg-busy-wash text-busy',
  idle: 'bg-idle-wash text-idle',
};

type CommandItemProps = {
  run: CommandRun;
  isOpen: boolean;
  output: CommandsCardProps['output'];
  onToggle(): void;
  onCancel(): void;
};

function CommandItem({ run, isOpen, output, onToggle, onCancel }: CommandItemProps) {
  const now = useNow(TICK_MS);
  const { state, tone, facts, isActive } = commandView(run, now);
  const Chevron = isOpen ? ChevronUp : ChevronDown;
  return (
    <li className="grid grid-cols-1">
      <div className="flex flex-wrap items-start justify-between gap-x-5 gap-y-1.5 px-4 py-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span
              className={clsx(
                'inline-flex h-6 items-center rounded-full px-2 text-xs',
                TONES[tone],
              )}
            >
              {state}
            </span>
            <code className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{run.command}</code>
          </p>
          <p className="text-xs text-muted">
            {facts.join(' · ')} · <TimeAgo at={run.startedAt} />
          </p>
        </div>
        <div className="flex items-center gap-1">
          <Button
            kind="ghost"
            size="small"
            aria-expanded={isOpen}
            aria-label={MESSAGES.outputOf(run.number)}
            onClick={onToggle}
          >
            {MESSAGES.output}
            <Chevron size={14} aria-hidden="true" />
          </Button>
          {isActive && (
            <Button size="small" aria-label={MESSAGES.cancelNumber(run.number)} onClick={onCancel}>
              {MESSAGES.cancel}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <div className="px-4 pb-4">{output(run.number, isActive)}</div>}
    </li>
  );
}

/** Newest first. None while they are loaded. */
function useCommands(appId: string): CommandRun[] {
  const { commands } = useServices();
  const [runs, setRuns] = useState<CommandRun[]>([]);
  useEffect(
    // The page shows when the connection is lost; what was read stays.
    () => commands.live(appId, { next: setRuns, error: () => {} }),
    [commands, appId],
  );
  return runs;
}
