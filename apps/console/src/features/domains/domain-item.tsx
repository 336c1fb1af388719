import { publicUrlOf } from '@longshore/contract';
import { clsx } from 'clsx';
import { useConfig } from '../../client/console-environment.tsx';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Check, CircleAlert, Clock, Trash2, TriangleAlert } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';
import type { CertificateView } from './model/certificate-view.ts';
import type { DnsRecord, DomainView } from './model/domain-view.ts';

type DomainItemProps = {
  view: DomainView;
  certificate: CertificateView | undefined;
  isRetrying: boolean;
  onRetry(): void;
  checkedAt: string | undefined;
  isChecking: boolean;
  disabledReason: string | undefined;
  onCheck(): void;
  onRemove(): void;
};

const TONES: Record<DomainView['chip']['tone'], string> = {
  good: 'text-ok',
  bad: 'text-bad',
  warning: 'text-busy',
  idle: 'text-muted',
};

const ICONS = { good: Check, bad: CircleAlert, warning: TriangleAlert, idle: Clock };

/** One custom domain: its state, the records to create, and the last check. */
export function DomainItem(props: DomainItemProps) {
  const { view, certificate, checkedAt, isChecking, disabledReason, onCheck, onRemove } = props;
  const { domain, chip, text, records, isServed } = view;
  const { ingress } = useConfig();
  const url = publicUrlOf(ingress, domain, certificate?.isValid);
  return (
    <li aria-label={domain} className="grid gap-3 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <p className="min-w-0 flex-1 basis-48 font-medium break-words">
          {isServed ? (
            <HostLink url={url} domain={domain} />
          ) : (
            <BreakableUrl>{domain}</BreakableUrl>
          )}
        </p>
        <Chip {...chip} isBusy={chip.isBusy || isChecking} />
        {certificate !== undefined && <Chip {...certificate.chip} />}
        <span className="-mr-2 ml-auto flex shrink-0 items-center">
          <CopyButton text={url} label={MESSAGES.copyUrl(domain)} />
          <IconButton
            label={disabledReason ?? MESSAGES.removal.label(domain)}
            isDisabled={disabledReason !== undefined}
            onClick={onRemove}
          >
            <Trash2 size={16} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      <p className="text-muted">{text}</p>
      {certificate !== undefined && (
        <Certificate {...props} domain={domain} certificate={certificate} />
      )}
      {records.length > 0 && <Records domain={domain} records={records} />}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="text-xs text-faint">
          {checkedAt !== undefined && (
            <>
              {MESSAGES.checked} <TimeAgo at={checkedAt} />
            </>
          )}
        </p>
        <Button
          size="small"
          aria-label={MESSAGES.checkAgainLabel(domain)}
          isBusy={isChecking}
          onClick={onCheck}
        >
          {MESSAGES.checkAgain}
        </Button>
      </div>
    </li>
  );
}

type RetryProps = Pick<DomainItemProps, 'isRetrying' | 'onRetry'> & { domain: string };

/** The generated address, which cannot be removed. */
export function GeneratedItem(props: RetryProps & Pick<DomainItemProps, 'certificate'>) {
  const { domain, certificate } = props;
  const { ingress } = useConfig();
  const url = publicUrlOf(ingress, domain, certificate?.isValid);
  return (
    <li aria-label={domain} className="grid gap-1 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <p className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-2 font-medium">
          <HostLink url={url} domain={domain} />
          <Pill>{MESSAGES.generated.pill}</Pill>
        </p>
        {certificate !== undefined && <Chip {...certificate.chip} />}
        <span className="-mr-2 ml-auto flex shrink-0 items-center">
          <CopyButton text={url} label={MESSAGES.copyUrl(domain)} />
        </span>
      </div>
      <p className="text-muted">{MESSAGES.generated.text}</p>
      {certificate !== undefined && <Certificate {...props} certificate={certificate} />}
    </li>
  );
}

function HostLink({ url, domain }: { url: string; domain: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="min-w-0 rounded underline-offset-4 hover:underline"
    >
      <BreakableUrl>{domain}</BreakableUrl>
    </a>
  );
}

function Certificate({
  domain,
  certificate: { text, failure, canRetry },
  isRetrying,
  onRetry,
}: RetryProps & { certificate: CertificateView }) {
  const texts = MESSAGES.certificate;
  return (
    <div className="grid gap-2">
      <p className="text-muted">{text}</p>
      {failure !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-box border border-line bg-sunken px-3 py-2">
          <div className="min-w-0 flex-1 basis-64">
            <p className="break-words text-bad">{failure.problem}</p>
            <p>{failure.fix}</p>
            {failure.nextTry !== undefined && (
              <p className="text-xs text-faint">{failure.nextTry}</p>
            )}
          </div>
          {canRetry && (
            <Button
              size="small"
              aria-label={texts.retryLabel(domain)}
              isBusy={isRetrying}
              onClick={onRetry}
            >
              {texts.retry}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Chip({ text, tone, isBusy }: DomainView['chip']) {
  const Icon = ICONS[tone];
  return (
    <span role="status" className={clsx('inline-flex items-center gap-1.5 text-xs', TONES[tone])}>
      {isBusy ? <Spinner className="size-3.5" /> : <Icon size={14} aria-hidden="true" />}
      {isBusy ? MESSAGES.chips.checking : text}
    </span>
  );
}

/** Side by side on wide screens, below each other on narrow ones. */
function Records({ domain, records }: { domain: string; records: DnsRecord[] }) {
  const texts = MESSAGES.records;
  return (
    <ul className="divide-y divide-line rounded-box border border-line">
      {records.map(({ type, name, value, found }) => (
        <li key={type}>
          <dl className="grid gap-x-4 px-3 py-2 sm:grid-cols-[3.5rem_1fr_1fr_3rem]">
            <Cell label={texts.type} value={type} />
            <Cell label={texts.name} value={name} copy={texts.copyName(type, domain)} />
            <Cell label={texts.value} value={value} copy={texts.copyValue(type, domain)} />
            <Cell label={texts.ttl} value={texts.auto} />
            <div className="flex gap-3 max-sm:min-h-9 max-sm:items-center sm:col-span-3 sm:col-start-2">
              <dt className="shrink-0 text-xs leading-5 text-faint max-sm:w-16">{texts.found}</dt>
              <dd
                className={clsx('min-w-0 font-mono text-[0.8125rem] break-all', TONES[found.tone])}
              >
                {found.text}
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Cell({ label, value, copy }: { label: string; value: string; copy?: string }) {
  return (
    <div className="min-w-0 max-sm:flex max-sm:items-center max-sm:gap-3">
      <dt className="shrink-0 text-xs text-faint max-sm:w-16">{label}</dt>
      <dd className="flex min-h-9 min-w-0 items-center gap-1 max-sm:flex-1 max-sm:justify-between">
        <span className="min-w-0 font-mono text-[0.8125rem] break-all">{value}</span>
        {copy !== undefined && <CopyButton text={value} label={copy} />}
      </dd>
    </div>
  );
}
