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

/** Redirects to the provider. The button stays busy until the browser leaves the page. */
export function OauthStart({ provider, url, onToken }: OauthStartProps) {
  const { connect } = useServices();
  const [isRedirecting, setRedirecting] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function redirect() {
    setFailure(undefined);
    setRedirecting(true);
    const ticket = await connect.oauthTicket(provider);
    if (ticket.ok) return window.location.assign(ticket.data.url);
    setRedirecting(false);
    setFailure(errorText(ticket.error) || MESSAGES.oauth.redirectFailed);
  }

  return (
    <>
      <div className="grid gap-4 p-5">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <p className="text-muted">{MESSAGES.oauth.redirect(new URL(url).host)}</p>
      </div>
      <DialogFooter>
        <Button kind="ghost" onClick={onToken}>
          {MESSAGES.oauth.useToken}
        </Button>
        <Button kind="primary" isBusy={isRedirecting} onClick={() => void redirect()}>
          <ExternalLink size={16} aria-hidden="true" />
          {MESSAGES.oauth.continueWith(CODE_HOSTS[provider].name)}
        </Button>
      </DialogFooter>
    </>
  );
}
