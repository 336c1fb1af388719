import type { GitProviderName } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { ExternalLink } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MESSAGES } from './messages.ts';
import { CODE_HOSTS } from './model/code-hosts.ts';

type OauthStartProps = { provider: GitProviderName; url: string; onToken(): void };

/** The browser leaves for the provider, so what was pressed stays busy until the page is gone. */
export function OauthStart({ provider, url, onToken }: OauthStartProps) {
  const { connect } = useServices();
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function leave() {
    setFailure(undefined);
    setLeaving(true);
    const ticket = await connect.oauthTicket(provider);
    if (ticket.ok) return window.location.assign(ticket.data.url);
    setLeaving(false);
    setFailure(errorText(ticket.error) || MESSAGES.oauth.leaveFailed);
  }

  return (
    <>
      <div className="grid gap-4 p-5">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <p className="text-muted">{MESSAGES.oauth.leave(new URL(url).host)}</p>
      </div>
      <DialogFooter>
        <Button kind="ghost" onClick={onToken}>
          {MESSAGES.oauth.useToken}
        </Button>
        <Button kind="primary" isBusy={isLeaving} onClick={() => void leave()}>
          <ExternalLink size={16} aria-hidden="true" />
          {MESSAGES.oauth.continueWith(CODE_HOSTS[provider].name)}
        </Button>
      </DialogFooter>
    </>
  );
}
