import type { GitProviderName } from '@longshore/contract';
import { type ReactNode, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { Field } from '../../ui/field.tsx';
import { ConnectForm } from './connect-form.tsx';
import { MESSAGES } from './messages.ts';
import { CODE_HOSTS, tokenPageOf } from './model/code-hosts.ts';
import { useConnectForm } from './use-connect-form.ts';

type TokenFormProps = {
  provider: GitProviderName;
  /** The URL that the server uses if none is sent. */
  knownUrl: string;
  firstUrl: string;
  onDone(): void;
  children: ReactNode;
};

/** Connects with a personal access token, which needs no OAuth configuration. */
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
    <ConnectForm
      fields={{ url: typedUrl, token }}
      openedFields={{ url: firstUrl, token: '' }}
      failure={form.failure}
      isBusy={form.isBusy}
      onSubmit={() => void form.submit()}
    >
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

type TokenHintProps = { page: string | undefined; scopes: string[] };

function TokenHint({ page, scopes }: TokenHintProps) {
  return (
    <>
      {page === undefined ? (
        MESSAGES.token.createOne
      ) : (
        <a
          href={page}
          target="_blank"
          rel="noopener noreferrer"
          className="rounded text-accent-ink underline underline-offset-2"
        >
          {MESSAGES.token.createOneAt(new URL(page).host)}
        </a>
      )}{' '}
      {MESSAGES.token.withScopes(scopes.length)} <ScopeNames scopes={scopes} />.
    </>
  );
}

function ScopeNames({ scopes }: { scopes: string[] }) {
  return scopes.map((scope, at) => (
    <span key={scope}>
      {at > 0 && MESSAGES.token.and}
      <code className="font-mono text-text">{scope}</code>
    </span>
  ));
}
