import { type Clock, type StateChange, systemClock } from '@longshore/edge-contract';
import type { PublicApp } from '../../src/apps/apps.ts';
import { type AcmeSettings, createAcmeClient } from '../../src/certificates/acme/acme-client.ts';
import { type AcmeSend, createAcmeSend } from '../../src/certificates/acme/signed-requests.ts';
import { checkArrival } from '../../src/certificates/arrival.ts';
import type { CertificateStore } from '../../src/certificates/certificate-store.ts';
import {
  type Certificates,
  type CertificatesDeps,
  createCertificates,
} from '../../src/certificates/certificates.ts';
import { openAccountKey } from '../../src/certificates/private-keys.ts';
import type { createPool } from '../../src/db/database.ts';
import { createDnsClient } from '../../src/domains/dns-client.ts';

export const ADDRESS = '127.0.0.1';

export type Authority = Partial<AcmeSettings> & { ca?: string | undefined };

export type CertificatesServerOptions = {
  store: CertificateStore;
  apps: PublicApp[];
  edge: CertificatesDeps['edge'];
  /** Where the edge listens. */
  port: number;
  dnsServer: string;
  logError(error: unknown): void;
  send?: (send: AcmeSend) => AcmeSend;
  clock?: Clock;
  names?: Partial<CertificatesDeps['names']>;
  file?: CertificatesDeps['file'];
};

/** What the process that is killed gets. */
export type ChildOptions = {
  connection: Parameters<typeof createPool>[0];
  keysFolder: string;
  apps: PublicApp[];
  port: number;
  dnsServer: string;
  authority: Authority;
  path: string;
};

export type ChildMessage = { kind: 'change'; change: StateChange } | { kind: 'reached' };

/** The part of a server that gets certificates. */
export async function startCertificates(
  options: CertificatesServerOptions,
  { ca, ...settings }: Authority,
): Promise<Certificates> {
  const { store, apps, edge, port, dnsServer, logError, clock = systemClock, names } = options;
  const acme = { directory: '', email: 'ops@longshore-shop.com', binding: undefined, ...settings };
  const send = createAcmeSend(ca);
  const lookUp = createDnsClient({ servers: [dnsServer] });
  const arrival = { lookUp, ownAddresses: () => [ADDRESS], clock: systemClock, port };
  const server = createCertificates({
    store,
    apps: { listPublic: async () => apps },
    client: createAcmeClient({
      settings: acme,
      accountKey: openAccountKey(store, acme.directory),
      send: options.send?.(send) ?? send,
      now: clock.now,
    }),
    file: options.file ?? (() => undefined),
    names: { baseDomain: 'localhost', publicUrl: 'http://localhost:1337', ...names },
    edge,
    checkArrival: (domain, challenge, signal) => checkArrival(domain, challenge, arrival, signal),
    listen: () => () => {},
    clock,
    random: () => 0.5,
    log: { info: () => {}, warn: () => {} },
    logError,
  });
  await server.load();
  server.start();
  return server;
}
