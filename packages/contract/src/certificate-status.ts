import { isRecord } from './type-guards.ts';

const FAILURE_CODES = [
  /** DNS has no address of the domain. */
  'no-address',
  /** The name servers do not answer. */
  'no-dns-answer',
  /** The domain has an address of a private network that is not this server's. */
  'private-address',
  /** Another server answers at the domain. */
  'elsewhere',
  /** Nothing answers at port 80 of the domain. */
  'unreachable',
  /** The certificate authority allows no further request before the next try. */
  'rate-limited',
  /** The certificate authority does not answer, or has an internal error. */
  'authority-unavailable',
  /** A CAA record of the domain forbids the certificate authority. */
  'caa',
  /** The certificate authority refused the account. Only the operator can fix it. */
  'account',
  /** The certificate authority refused for another reason. */
  'refused',
] as const;

/** Why the last try to get a certificate failed. `detail`: what was found, or the words of the certificate authority. */
export type CertificateFailure = { code: (typeof FAILURE_CODES)[number]; detail: string };

const STATES = [
  /** The installation gets no certificates for this domain. */
  'off',
  /** Ordered, or about to be. */
  'pending',
  'valid',
  'failed',
  /** A limit of this installation allows no order before the next try. */
  'limited',
  /** The owner has too many domains. */
  'too-many',
] as const;

/** The certificate of a domain, as its owner sees it. Times are ISO dates. */
export type CertificateStatus = {
  state: (typeof STATES)[number];
  /** When the certificate expires, in the state `valid`. */
  validUntil: string | undefined;
  /** When it is renewed. Undefined for the operator's own certificate. */
  renewsAt: string | undefined;
  /** Also in the state `valid`, when the renewal fails. */
  failure: CertificateFailure | undefined;
  nextTryAt: string | undefined;
};

/** A certificate that an operator should look at: `failed`, or `expiring` without a renewal that works. */
export type CertificateWarning = {
  domain: string;
  kind: 'custom' | 'generated' | 'console' | 'file';
  expiresAt: string | undefined;
  failure: CertificateFailure | undefined;
  nextTryAt: string | undefined;
};

/** Undefined if there is none, such as from a server that does not know certificates. */
export function decodeCertificateStatus(body: unknown): CertificateStatus | undefined {
  if (!isRecord(body)) return undefined;
  const state = STATES.find((known) => known === body.state);
  return (
    state && {
      state,
      validUntil: text(body.validUntil),
      renewsAt: text(body.renewsAt),
      failure: decodeCertificateFailure(body.failure),
      nextTryAt: text(body.nextTryAt),
    }
  );
}

/** An unknown code is from a newer server. */
export function decodeCertificateFailure(body: unknown): CertificateFailure | undefined {
  if (!isRecord(body)) return undefined;
  const code = FAILURE_CODES.find((known) => known === body.code) ?? 'refused';
  return { code, detail: text(body.detail) ?? '' };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
