import type { CertificateStatus, CertificateWarning } from '@longshore/contract';
import {
  type CertificateRecord,
  isValid,
  type Step,
  type WantedCertificate,
} from './certificate-rules.ts';

const DAY_MS = 86_400_000;
/** An operator is warned this long before a certificate expires. */
const EXPIRES_SOON_MS = 7 * DAY_MS;

/** A name at the last look: what is known about its certificate, and what happens next. */
export type CertificateState = {
  wanted: WantedCertificate;
  record: CertificateRecord;
  step: Step;
};

/** `state` undefined: the name was not looked at yet. */
export function certificateStatus(
  state: CertificateState | undefined,
  now: number,
): CertificateStatus {
  const { record, step, wanted } = state ?? {};
  const failure = record?.failure;
  const nextTryAt = failure === undefined ? undefined : date(record?.nextTryAt);
  const shown = { validUntil: undefined, renewsAt: undefined, failure, nextTryAt };
  if (record?.validity !== undefined && isValid(record, now)) {
    const { until, renewAt } = record.validity;
    return { ...shown, state: 'valid', validUntil: date(until), renewsAt: date(renewAt) };
  }
  if (wanted?.refusal === 'too-many') return { ...shown, state: 'too-many' };
  if (step?.kind === 'limited') return { ...shown, state: 'limited', nextTryAt: date(step.until) };
  return { ...shown, state: failure === undefined ? 'pending' : 'failed' };
}

/** Covered by the operator's own certificate. */
export function fileStatus(until: number): CertificateStatus {
  const validUntil = date(until);
  return {
    state: 'valid',
    validUntil,
    renewsAt: undefined,
    failure: undefined,
    nextTryAt: undefined,
  };
}

export const OFF: CertificateStatus = {
  state: 'off',
  validUntil: undefined,
  renewsAt: undefined,
  failure: undefined,
  nextTryAt: undefined,
};

/** Certificates that could not be issued or renewed, or that expire soon; the most urgent first. */
export function certificateWarnings(
  states: CertificateState[],
  file: { names: readonly string[]; until: number } | undefined,
  now: number,
): CertificateWarning[] {
  const isUrgent = (until: number) => until - now < EXPIRES_SOON_MS;
  const ordered = states.flatMap(({ wanted, record }) => {
    const { validity, failure, nextTryAt } = record;
    const isLate = validity !== undefined && now > validity.renewAt && isUrgent(validity.until);
    if (failure === undefined && !isLate) return [];
    return [
      { domain: wanted.domain, kind: wanted.kind, until: validity?.until, failure, nextTryAt },
    ];
  });
  const own =
    file !== undefined && isUrgent(file.until)
      ? [{ domain: file.names.join(', '), kind: 'file' as const, until: file.until }]
      : [];
  return [...own, ...ordered]
    .toSorted((one, other) => (one.until ?? 0) - (other.until ?? 0))
    .map(({ domain, kind, until, ...rest }) => ({
      domain,
      kind,
      expiresAt: date(until),
      failure: 'failure' in rest ? rest.failure : undefined,
      nextTryAt: 'nextTryAt' in rest ? date(rest.nextTryAt) : undefined,
    }));
}

function date(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
