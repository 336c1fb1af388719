import type { Retry } from '@longshore/contract';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { useRegisterCommands } from '../../lib/commands.tsx';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import type { ButtonView } from './model/app-view.ts';
import { countdownTo } from './model/countdown.ts';

const TICK_MS = 1_000;

type RetryCountdownProps = { app: { id: string; name: string }; retry: Retry; action: ButtonView };

/** Counts down to the next attempt and can make it at once. Also a command of the palette. */
export function RetryCountdown({ app, retry, action }: RetryCountdownProps) {
  const { text, isWaiting } = countdownTo(retry, useNow(TICK_MS));
  const { releases } = useServices();
  const { isBusy, send } = useRequest(releases.restart);
  const toast = useToast();
  const { now, failed, command } = MESSAGES.retry[retry.kind];

  async function restart(): Promise<void> {
    const result = await send(app.id);
    if (!result.ok) toast({ tone: 'bad', title: failed, text: result.error.message });
  }

  const isOffered = isWaiting && !action.isDisabled && !isBusy;
  useRegisterCommands(isOffered ? [{ label: command(app.name), run: () => void restart() }] : []);
  return (
    <div className="mt-3 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
      <span role="timer" className="font-medium text-text tabular-nums">
        {text}
      </span>
      {isWaiting && (
        <Tooltip text={action.reason}>
          <Button
            size="small"
            isDisabled={action.isDisabled}
            isBusy={isBusy}
            onClick={() => void restart()}
          >
            {now}
          </Button>
        </Tooltip>
      )}
    </div>
  );
}
