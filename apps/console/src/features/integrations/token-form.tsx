import type { GitProviderName } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Field } from '../../ui/field.tsx';
import { ConnectForm } from './connect-form.tsx';
import { MESSAGES } from './messages.ts';
import { CODE_HOSTS, tokenPageOf } from './model/code-hosts.ts';
import { TokenHint } from './token-hint.tsx';
import { useConnectForm } from './use-connect-form.ts';

type TokenFormProps = {
  provider: GitProviderName;
  /** Where the server looks when it is told no address. */
  knownUrl: string;
  firstUrl: string;
  onDone(): void;
  children: ReactNode;
};

/** A personal access token: what works on a fresh machine. */
export function TokenForm({ provider, knownUrl, firstUrl, onDone, children }: TokenFormProps) {
  const { connect } = useServices();
  const [typedUrl, setUrl] = useState(firstUrl);
  const [token, setToken] = useState('');
  const url = typedUrl.trim();
  const form = useConnectForm({
    problems: {
      ...(url === '' && { url: MESSAGES.urlMissing }),
      ...(token.trim() === '' && { token: MESSAGES.tokenMissing }),
    },
    name: CODE_HOSTS[provider].name,
    connect: () =>
      connect.connectToken({ provider, token: token.trim(), ...(url !== knownUrl && { url }) }),
    onDone,
  });
  return (
    <ConnectForm failure={form.failure} isBusy={form.isBusy} onSubmit={() => void form.submit()}>
      {children}
      <Field
        label={MESSAGES.token.url}
        type="url"
        inputMode="url"
        placeholder={MESSAGES.token.urlExample}
        autoComplete="off"
        spellCheck={false}
        value={typedUrl}
        problem={form.problems.url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Field
        label={MESSAGES.token.token}
        type="password"
        autoComplete="off"
        value={token}
        problem={form.problems.token}
        hint={
          <TokenHint page={tokenPageOf(provider, typedUrl)} scopes={CODE_HOSTS[provider].scopes} />
        }
        onChange={(event) => setToken(event.target.value)}
      />
    </ConnectForm>
  );
}
