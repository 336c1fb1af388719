import { CopyButton } from '../../ui/copy-button.tsx';
import { MESSAGES } from './messages.ts';

/** The A record of a custom domain. Spec §9, Auto domain. */
export function DnsRecord({ domain, ip }: { domain: string; ip: string }) {
  const rows = [
    { name: 'Type', value: 'A', canCopy: false },
    { name: 'Name', value: domain, canCopy: true },
    { name: 'Value', value: ip, canCopy: true },
    { name: 'TTL', value: 'Auto', canCopy: false },
  ];
  return (
    <div className="border-t border-line px-4 py-3">
      <dl className="grid gap-1">
        {rows.map(({ name, value, canCopy }) => (
          <div key={name} className="flex min-h-9 items-center gap-3">
            <dt className="w-12 shrink-0 text-xs text-faint">{name}</dt>
            <dd className="min-w-0 flex-1 font-mono text-[0.8125rem] break-all">{value}</dd>
            {canCopy && <CopyButton text={value} label={`Copy ${name.toLowerCase()}`} />}
          </div>
        ))}
      </dl>
      <p className="mt-2 text-xs text-faint">{MESSAGES.dnsNote}</p>
    </div>
  );
}
