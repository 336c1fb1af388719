import type { OperatorService } from '@longshore/client';
import type { CertificateWarning } from '@longshore/contract';
import { useCallback } from 'react';
import { useQuery } from '../../client/use-query.ts';
import { Card } from '../../ui/card.tsx';
import { MESSAGES } from './messages.ts';

const { certificates: TEXTS } = MESSAGES;

/** Certificates that failed or expire soon. Hidden while there are none. */
export function CertificatesCard({ operator }: { operator: OperatorService }) {
  const load = useCallback((signal: AbortSignal) => operator.certificates({ signal }), [operator]);
  const { state } = useQuery(load);
  if (state.kind !== 'ready' || state.data.length === 0) return null;
  return (
    <Card
      title={TEXTS.title}
      actions={<span className="text-muted tabular-nums">{state.data.length}</span>}
    >
      <ul className="divide-y divide-line">
        {state.data.map((warning) => (
          <li key={warning.domain} className="grid gap-1 px-4 py-3">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="min-w-0 font-medium break-all">{warning.domain}</span>
              <span className="text-xs text-faint">{TEXTS.kinds[warning.kind]}</span>
            </p>
            {warning.failure !== undefined && (
              <p className="break-words text-bad">
                {TEXTS.failures[warning.failure.code]} {warning.failure.detail}
              </p>
            )}
            <p className="text-muted">{timesOf(warning)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function timesOf({ expiresAt, nextTryAt }: CertificateWarning): string {
  return [
    expiresAt === undefined ? TEXTS.none : TEXTS.expires(timeText(expiresAt)),
    ...(nextTryAt === undefined ? [] : [TEXTS.nextTry(timeText(nextTryAt))]),
  ].join(' ');
}

function timeText(time: string): string {
  return new Date(time).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
