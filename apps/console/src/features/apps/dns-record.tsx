import { CopyButton } from '../../ui/copy-button.tsx';
import { MESSAGES } from './messages.ts';

/** The A record of a custom domain. Spec §9, Auto domain. */
export function DnsRecord({ domain, ip }: { domain: string; ip: string }) {
  const words = MESSAGES.dns;
  const rows = [
    { name: words.type, value: 'A' },
    { name: words.name, value: domain, copy: words.copyName },
    { name: words.value, value: ip, copy: words.copyValue },
    { name: words.ttl, value: words.auto },
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
      <p className="mt-2 text-xs text-faint">{words.note}</p>
    </div>
  );
}
