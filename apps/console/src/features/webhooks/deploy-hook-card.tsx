import type { DeployHook } from '@longshore/contract';
import { useCallback, useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';
import { useRequest } from '../../client/use-request.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { DEPLOY_HOOK as TEXTS } from './messages.ts';
import { RetryNotice } from './retry-notice.tsx';
import { SecretLine } from './secret-line.tsx';

type Change = 'create' | 'replace' | 'remove';

/** The secret URL that redeploys an app, whatever its source is. */
export function DeployHookCard({ appId }: { appId: string }) {
  const { connect } = useServices();
  const load = useCallback(
    (signal: AbortSignal) => connect.deployHook(appId, { signal }),
    [connect, appId],
  );
  const { state, reload } = useQuery(load);
  return (
    <Card title={TEXTS.title}>
      {state.kind === 'loading' && <Skeleton className="m-4 h-10" />}
      {state.kind === 'failed' && (
        <RetryNotice title={TEXTS.loadFailed} message={state.message} onRetry={reload} />
      )}
      {state.kind === 'ready' && (
        <HookSettings appId={appId} hook={state.data} onChanged={reload} />
      )}
    </Card>
  );
}

type HookSettingsProps = { appId: string; hook: DeployHook; onChanged(): void };

function HookSettings({ appId, hook: { url }, onChanged }: HookSettingsProps) {
  const { connect } = useServices();
  const toast = useToast();
  const [asked, setAsked] = useState<'replace' | 'remove'>();
  const { isBusy, send } = useRequest((change: Change) =>
    change === 'remove' ? connect.removeDeployHook(appId) : connect.createDeployHook(appId),
  );

  async function change(to: Change): Promise<void> {
    const result = await send(to);
    setAsked(undefined);
    if (!result.ok) {
      toast({ tone: 'bad', title: TEXTS.failed[to], text: errorText(result.error) });
    }
    onChanged();
  }

  return (
    <div className="grid gap-3 p-4">
      <p className="text-muted">{TEXTS.text}</p>
      {url === null ? (
        <div>
          <Button isBusy={isBusy} onClick={() => void change('create')}>
            {TEXTS.create}
          </Button>
        </div>
      ) : (
        <>
          <dl className="rounded-box border border-line bg-sunken py-2 pr-1 pl-3">
            <SecretLine
              name={TEXTS.url}
              value={url}
              masked={maskedUrl(url)}
              labels={{ show: TEXTS.show, hide: TEXTS.hide, copy: TEXTS.copy }}
            />
          </dl>
          <p className="text-xs text-faint">{TEXTS.hint}</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked('replace')}>{TEXTS.replace}</Button>
            <Button onClick={() => setAsked('remove')}>{TEXTS.remove}</Button>
          </div>
        </>
      )}
      {asked !== undefined && (
        <ConfirmDialog
          isOpen
          onOpenChange={() => setAsked(undefined)}
          title={TEXTS.questions[asked]}
          confirmLabel={TEXTS.confirmations[asked]}
          isBusy={isBusy}
          onConfirm={() => void change(asked)}
        >
          <p>{TEXTS.consequence}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Without the secret at its end. */
function maskedUrl(url: string): string {
  return `${url.slice(0, url.lastIndexOf('=') + 1)}${'•'.repeat(8)}`;
}
