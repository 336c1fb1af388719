import type { GitProviderName } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { MESSAGES } from './messages.ts';
import { CODE_HOSTS } from './model/code-hosts.ts';
import { OauthMissing } from './oauth-missing.tsx';
import { OauthStart } from './oauth-start.tsx';
import { TokenForm } from './token-form.tsx';

const CHOICES = (Object.keys(CODE_HOSTS) as GitProviderName[]).map((value) => ({
  value,
  label: CODE_HOSTS[value].name,
}));

type CodeHostTabProps = {
  provider: GitProviderName;
  /** The host of the account to reconnect. */
  host: string | undefined;
  onDone(): void;
};

/** Connects with OAuth if the operator configured it, otherwise with a token. */
export function CodeHostTab({ provider: first, host, onDone }: CodeHostTabProps) {
  const { integrations } = useConfig();
  const [provider, setProvider] = useState(first);
  const [wantsToken, setWantsToken] = useState(false);
  const configured = provider === 'gitea' ? undefined : integrations?.[provider];
  const url = configured?.url ?? CODE_HOSTS[provider].url;
  const isOtherHost = host !== undefined && provider === first && !url.endsWith(`//${host}`);
  const isOauth = configured?.oauth === true && !wantsToken && !isOtherHost;
  return (
    <>
      <div className="px-5 pt-4">
        <Segmented
          label={MESSAGES.provider}
          value={provider}
          options={CHOICES}
          onChange={(chosen) => setProvider(chosen)}
        />
      </div>
      {isOauth ? (
        <OauthStart provider={provider} url={url} onToken={() => setWantsToken(true)} />
      ) : (
        <TokenForm
          key={provider}
          provider={provider}
          knownUrl={url}
          firstUrl={isOtherHost ? `https://${host}` : url}
          onDone={onDone}
        >
          {configured?.oauth === false && <OauthMissing provider={provider} url={url} />}
        </TokenForm>
      )}
    </>
  );
}
