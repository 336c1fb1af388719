import type { AppDomains, CertificateStatus } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import type { DomainView } from './domain-view.ts';

const { certificate: TEXTS } = MESSAGES;

export type CertificateView = {
  chip: DomainView['chip'];
  text: string;
  isValid: boolean;
  /** What is wrong, and what to do about it. */
  failure: { problem: string; fix: string; nextTry: string | undefined } | undefined;
  /** Whether another try now makes sense. */
  canRetry: boolean;
};

/** What the page shows about the certificate of a domain. Undefined: nothing. */
export function certificateView(
  domain: string,
  status: CertificateStatus | undefined,
): CertificateView | undefined {
  if (status === undefined || status.state === 'off') return undefined;
  const { failure, nextTryAt } = status;
  const texts = failure && TEXTS.failures[failure.code];
  return {
    chip: chipOf(status),
    text: textOf(status),
    isValid: status.state === 'valid',
    failure: failure &&
      texts && {
        problem: texts.problem(domain, failure.detail),
        fix: texts.fix,
        nextTry: nextTryAt === undefined ? undefined : TEXTS.nextTry(timeOf(nextTryAt)),
      },
    // The authority refuses every try before the time that it named.
    canRetry: failure !== undefined && failure.code !== 'rate-limited',
  };
}

/** DNS and the server are not in the hands of the app's owner. */
export function generatedCertificateView({
  generatedHost,
  generatedCertificate,
}: Pick<AppDomains, 'generatedHost' | 'generatedCertificate'>): CertificateView | undefined {
  const view = certificateView(generatedHost, generatedCertificate);
  const code = generatedCertificate?.failure?.code;
  const isTemporary = code === 'rate-limited' || code === 'authority-unavailable';
  if (view?.failure === undefined || isTemporary) return view;
  return { ...view, failure: { ...view.failure, fix: TEXTS.generatedFix } };
}

/** Whether a DNS record or a certificate is awaited, so that the page changes soon. */
export function isWaiting({ domains, generatedCertificate }: AppDomains): boolean {
  const certificates = [generatedCertificate, ...domains.map(({ certificate }) => certificate)];
  return (
    domains.some(({ state }) => state !== 'proved') ||
    certificates.some((certificate) => certificate?.state === 'pending')
  );
}

function chipOf({ state, failure }: CertificateStatus): DomainView['chip'] {
  const { chips } = TEXTS;
  switch (state) {
    case 'valid':
      return failure === undefined
        ? { text: chips.valid, tone: 'good', isBusy: false }
        : { text: chips.notRenewed, tone: 'warning', isBusy: false };
    case 'failed':
      return { text: chips.failed, tone: 'bad', isBusy: false };
    default:
      return { text: chips.none, tone: 'idle', isBusy: false };
  }
}

function textOf({ state, validUntil, renewsAt, failure, nextTryAt }: CertificateStatus): string {
  switch (state) {
    case 'valid': {
      const until = dayOf(validUntil);
      if (failure !== undefined) return TEXTS.notRenewed(until);
      return renewsAt === undefined ? TEXTS.own(until) : TEXTS.valid(until, dayOf(renewsAt));
    }
    case 'limited':
      return TEXTS.limited(nextTryAt === undefined ? '' : timeOf(nextTryAt));
    case 'too-many':
      return TEXTS.tooMany;
    case 'failed':
      return TEXTS.failed;
    default:
      return TEXTS.pending;
  }
}

function dayOf(time: string | undefined): string {
  if (time === undefined) return '';
  return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long' });
}

function timeOf(time: string): string {
  return new Date(time).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}
