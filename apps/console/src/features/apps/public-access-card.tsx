import type { AppRef } from '@longshore/client';
import { clsx } from 'clsx';
import { useConfig } from '../../client/console-environment.tsx';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExternalLink } from '../../ui/icons.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { DnsRecord } from './dns-record.tsx';
import { DomainStatus } from './domain-status.tsx';
import { MESSAGES } from './messages.ts';
import type { PublicAccessView } from './model/app-view.ts';

type PublicAccessCardProps = { access: PublicAccessView; app: AppRef };

export function PublicAccessCard({ access, app }: PublicAccessCardProps) {
  const { ingress } = useConfig();
  return (
    <Card
      title={MESSAGES.publicAccess}
      className={clsx(access.isDimmed && 'bg-sunken! text-faint')}
    >
      <div className="flex items-center gap-1 py-2 pr-2 pl-4">
        <a
          href={access.url}
          target="_blank"
          rel="noopener noreferrer"
          className={clsx(
            'min-w-0 flex-1 rounded font-mono text-[0.8125rem] underline-offset-4 hover:underline pointer-coarse:py-2.5',
            !access.isDimmed && 'text-accent-ink',
          )}
        >
          <BreakableUrl>{access.url}</BreakableUrl>
        </a>
        <CopyButton text={access.url} label={MESSAGES.copyAddress} />
        <Tooltip text={MESSAGES.openInNewTab}>
          <a
            href={access.url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={MESSAGES.openInNewTab}
            className={buttonStyle('ghost', 'icon')}
          >
            <ExternalLink size={16} aria-hidden="true" />
          </a>
        </Tooltip>
      </div>
      {access.note !== undefined && <p className="px-4 pb-3 text-faint">{access.note}</p>}
      {access.isCustom && (
        <>
          <DomainStatus key={access.domain} app={app} />
          <DnsRecord domain={access.domain} ip={ingress.publicIp} />
        </>
      )}
    </Card>
  );
}
