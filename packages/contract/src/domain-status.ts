import { type CertificateStatus, decodeCertificateStatus } from './certificate-status.ts';
import { isRecord } from './type-guards.ts';

/** Ways to prove that the owner of a domain wants an app to serve it, the strongest first. */
export const DOMAIN_PROOFS = ['txt', 'cname', 'a'] as const;

export type DomainProof = (typeof DOMAIN_PROOFS)[number];

const DOMAIN_STATES = [
  /** DNS proves it, and the app serves it. */
  'proved',
  /** DNS proved it before but does not now. The app serves it until `until`. */
  'lapsing',
  /** Not proved. The app serves it until `until`, because it did before proofs were required. */
  'temporary',
  /** Not proved and not served. Checked automatically until `until`. */
  'unproved',
  /** Not proved within the time limit, so it is not checked automatically any more. */
  'expired',
  /** Another account proved it. */
  'taken',
  /** Another app of the same account serves it. */
  'duplicate',
  /** It belongs to this installation. */
  'reserved',
] as const;

export type DomainState = (typeof DOMAIN_STATES)[number];

/** What the name servers answered. Undefined: no answer. */
export type DomainAnswers = {
  /** TXT records of the proof's name. */
  txt: string[] | undefined;
  /** CNAME records, followed from the domain on. */
  cname: string[] | undefined;
  /** A and AAAA records. */
  addresses: string[] | undefined;
};

export type DomainStatus = {
  domain: string;
  state: DomainState;
  /** Present while proved. */
  proof: DomainProof | undefined;
  /** When the state ends. */
  until: string | undefined;
  /** The name of the own app that serves the domain, in the state `duplicate`. */
  app: string | undefined;
  /** Undefined before the first check. */
  checkedAt: string | undefined;
  answers: DomainAnswers;
  /** Whether visitors reach this server at the domain. Undefined: unknown. */
  pointsHere: boolean | undefined;
  /** Undefined while the app is not served at the domain, or before it is verified. */
  certificate: CertificateStatus | undefined;
};

/** The custom domains of an app, and what is needed to prove them. */
export type AppDomains = {
  /** The value of the TXT record, the same for all domains of the account. */
  token: string;
  /** The value of the CNAME record. */
  generatedHost: string;
  /** Whether an A record is enough: the installation has only one account. */
  isAddressEnough: boolean;
  /** Of the generated host. */
  generatedCertificate: CertificateStatus | undefined;
  domains: DomainStatus[];
};

/** The name of the TXT record that proves a domain. */
export function proofNameOf(domain: string): string {
  return `_longshore.${domain}`;
}

/** Undefined for a malformed response. */
export function decodeAppDomains(body: unknown): AppDomains | undefined {
  if (!isRecord(body) || !Array.isArray(body.domains)) return undefined;
  const { token, generatedHost, isAddressEnough } = body;
  const domains = body.domains.map(decodeStatus);
  if (typeof token !== 'string' || typeof generatedHost !== 'string') return undefined;
  if (domains.includes(undefined)) return undefined;
  return {
    token,
    generatedHost,
    isAddressEnough: isAddressEnough === true,
    generatedCertificate: decodeCertificateStatus(body.generatedCertificate),
    domains: domains.filter((domain) => domain !== undefined),
  };
}

function decodeStatus(body: unknown): DomainStatus | undefined {
  if (!isRecord(body) || typeof body.domain !== 'string') return undefined;
  const state = DOMAIN_STATES.find((known) => known === body.state);
  const answers = isRecord(body.answers) ? body.answers : {};
  return (
    state && {
      domain: body.domain,
      state,
      proof: DOMAIN_PROOFS.find((known) => known === body.proof),
      until: text(body.until),
      app: text(body.app),
      checkedAt: text(body.checkedAt),
      answers: {
        txt: texts(answers.txt),
        cname: texts(answers.cname),
        addresses: texts(answers.addresses),
      },
      pointsHere: typeof body.pointsHere === 'boolean' ? body.pointsHere : undefined,
      certificate: decodeCertificateStatus(body.certificate),
    }
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}
