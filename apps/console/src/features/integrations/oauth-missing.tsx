import { connectPath, type GitProviderName } from '@longshore/contract';
import { useConfig } from '../../backend/backend-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CODE_HOSTS } from './model/code-hosts.ts';

/** For whoever runs this installation: what to set, so that nobody has to make a token. */
export function OauthMissing({ provider, url }: { provider: GitProviderName; url: string }) {
  const { services } = useConfig();
  const { name, variables } = CODE_HOSTS[provider];
  const callback = services.connect + connectPath('oauthCallback', { provider });
  return (
    <details className="rounded-box border border-line bg-sunken px-3 py-2 text-muted">
      <summary className="cursor-pointer rounded pointer-coarse:py-2">
        Signing in with {name} is not set up here
      </summary>
      <div className="mt-2 grid gap-2 text-xs">
        <p>
          The operator registers an OAuth application at {new URL(url).host} with this redirect
          address:
        </p>
        <p className="flex items-center gap-1">
          <code className="min-w-0 flex-1 font-mono break-all text-text">{callback}</code>
          <CopyButton text={callback} label="Copy redirect address" />
        </p>
        <p>
          and starts Longshore with{' '}
          {variables.map((variable, at) => (
            <span key={variable}>
              {at > 0 && ' and '}
              <code className="font-mono break-all text-text">{variable}</code>
            </span>
          ))}
          . Until then, a token does the same.
        </p>
      </div>
    </details>
  );
}
