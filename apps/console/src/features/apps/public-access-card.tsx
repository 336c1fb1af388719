import { clsx } from 'clsx';
import { useConfig } from '../../client/console-environment.tsx';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExternalLink } from '../../ui/icons.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import type { PublicAccessView } from './model/app-view.ts';

export function PublicAccessCard({ access }: { access: PublicAccessView }) {
  const { ingress } = useConfig();
  return (
    <Card
      title={MESSAGES.publicAccess}
      className={clsx(access.isDimmed && 'bg-sunken! text-faint')}
    >
      <AddressRow
        url={access.url}
        isDimmed={access.isDimmed}
        labels={{ copy: MESSAGES.copyUrl, open: MESSAGES.openInNewTab }}
      />
      {access.generatedUrl !== undefined && (
        <AddressRow
          title={MESSAGES.generatedAddress}
          url={access.generatedUrl}
          isDimmed={access.isDimmed}
          labels={{ copy: MESSAGES.copyGeneratedUrl, open: MESSAGES.openGeneratedUrl }}
        />
      )}
      {access.note !== undefined && <p className="px-4 pb-3 text-faint">{access.note}</p>}
      {access.customDomain !== undefined && (
        <DnsRecord domain={access.customDomain} ip={ingress.publicIp} />
      )}
    </Card>
  );
}

type AddressRowProps = {
  title?: string;
  url: string;
  isDimmed: boolean;
  labels: { copy: string; open: string };
};

/** A URL with buttons to copy and to open it. */
export function AddressRow({ title, url, isDimmed, labels }: AddressRowProps) {
  return (
    <div className="flex items-center gap-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="text-xs text-faint">{title}</p>}
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className={clsx(
            'block rounded font-mono text-[0.8125rem] underline-offset-4 hover:underline pointer-coarse:py-2.5',
            !isDimmed && 'text-accent-ink',
          )}
        >
          <BreakableUrl>{url}</BreakableUrl>
        </a>
      </div>
      <CopyButton text={url} label={labels.copy} />
      <Tooltip text={labels.open}>
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={labels.open}
          className={buttonStyle('ghost', 'icon')}
        >
          <ExternalLink size={16} aria-hidden="true" />
        </a>
      </Tooltip>
    </div>
  );
}

/** The DNS record that a custom domain needs (spec-map 9.3.13). */
function DnsRecord({ domain, ip }: { domain: string; ip: string }) {
  const texts = MESSAGES.dns;
  const rows = [
    { name: texts.type, value: 'A' },
    { name: texts.name, value: domain, copy: texts.copyName },
    { name: texts.value, value: ip, copy: texts.copyValue },
    { name: texts.ttl, value: texts.auto },
  ];
  return (
    <div className="border-t border-line px-4 py-3">
      <dl className="grid gap-1">
        {rows.map(({ name, value, copy }) => (
          <div key={name} className="flex min-h-9 items-center gap-3">
            <dt className="w-12 shrink-0 text-xs text-faint">{name}</dt>
            <dd className="min-w-0 flex-1 font-mono text-[0.8125rem] break-all">{value}</dd>
            {copy !== undefined && <CopyButton text={value} label={copy} />}
          </div>
        ))}
      </dl>
      <p className="mt-2 text-xs text-faint">{texts.note}</p>
    </div>
  );
}
