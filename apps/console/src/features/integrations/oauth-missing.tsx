import { connectPath, type GitProviderName } from '@longshore/contract';
import { useConfig } from '../../client/console-environment.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { MESSAGES } from './messages.ts';
import { CODE_HOSTS } from './model/code-hosts.ts';

/** Instructions for the operator to configure OAuth, so that users need no token. */
export function OauthMissing({ provider, url }: { provider: GitProviderName; url: string }) {
  const { services } = useConfig();
  const { name, variables } = CODE_HOSTS[provider];
  const callback = services.connect + connectPath('oauthCallback', { provider });
  const texts = MESSAGES.oauthMissing;
  return (
    <details className="rounded-box border border-line bg-sunken px-3 py-2 text-muted">
      <summary className="cursor-pointer rounded pointer-coarse:py-2">{texts.title(name)}</summary>
      <div className="mt-2 grid gap-2 text-xs">
        <p>{texts.register(new URL(url).host)}</p>
        <p className="flex items-center gap-1">
          <code className="min-w-0 flex-1 font-mono break-all text-text">{callback}</code>
          <CopyButton text={callback} label={texts.copyUrl} />
        </p>
        <p>
          {texts.startWith}{' '}
          {variables.map((variable, at) => (
            <span key={variable}>
              {at > 0 && texts.and}
              <code className="font-mono break-all text-text">{variable}</code>
            </span>
          ))}
          {texts.untilThen}
        </p>
      </div>
    </details>
  );
}
