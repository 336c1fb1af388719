import { randomUUID } from 'node:crypto';
import type { CertificateStatus } from '@longshore/contract';
import { hasSeveralUsers } from '../src/auth/first-account/accounts.ts';
import { OFF } from '../src/certificates/certificate-status.ts';
import type { Database } from '../src/db/database.ts';
import { checkDomain } from '../src/domains/check-domain.ts';
import type { DnsAnswers } from '../src/domains/domain-rules.ts';
import { createDomainStore } from '../src/domains/domain-store.ts';
import { APP_RULES } from './values.ts';

/** Where custom domains must point to. */
export const PUBLIC_IP = '192.0.2.10';

const NO_RECORDS: DnsAnswers = {
  txt: [],
  cname: { targets: [], isComplete: true },
  addresses: [],
};

/** Checks of domains with DNS answers, certificates and time set by the test. */
export function createTestDomains(db: Database) {
  const dns = new Map<string, Partial<DnsAnswers>>();
  const certificateStatuses = new Map<string, CertificateStatus>();
  const retriedCertificates: string[] = [];
  const requestedPasses: string[] = [];
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  const checks = {
    store: createDomainStore({
      db,
      newToken: () => `token-${randomUUID()}`,
      hasSeveralAccounts: hasSeveralUsers,
    }),
    lookUp: async (domain: string) => ({ ...NO_RECORDS, ...dns.get(domain) }),
    rules: {
      baseDomain: APP_RULES.baseDomain,
      publicUrl: APP_RULES.publicUrl,
      publicIp: PUBLIC_IP,
    },
    clock,
    random: () => 0,
    requestPass: (appId: string) => void requestedPasses.push(appId),
  };
  return {
    checks,
    store: checks.store,
    /** The DNS answers of each domain; none means that there are no records. */
    dns,
    /** Can be set ahead without ending sessions. */
    clock,
    /** A check by the schedule. */
    check: (domain: string) => checkDomain({ domain }, checks, new AbortController().signal),
    /** The status of the certificate of each domain. None means that certificates are off. */
    certificateStatuses,
    /** Domains whose certificates were tried again. */
    retriedCertificates,
    certificates: {
      statusOf: (domain: string) => certificateStatuses.get(domain) ?? OFF,
      async retry(domain: string) {
        const { failure, nextTryAt } = certificateStatuses.get(domain) ?? OFF;
        if (failure?.code === 'rate-limited') return Date.parse(nextTryAt ?? '');
        retriedCertificates.push(domain);
        return 'tried' as const;
      },
    },
    /** The apps for which a pass was requested. */
    requestedPasses,
  };
}
