import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, EdgeState, StateChange } from '@longshore/edge-contract';
import type { PublicApp } from '../../src/apps/apps.ts';
import type { AcmeSend } from '../../src/certificates/acme/signed-requests.ts';
import {
  type CertificateStore,
  createCertificateStore,
} from '../../src/certificates/certificate-store.ts';
import type { CertificatesDeps } from '../../src/certificates/certificates.ts';
import { createDatabase, createPool } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createKeyFolder } from '../../src/secrets/key-folder.ts';
import { createSeal } from '../../src/secrets/seal.ts';
import { createTestDatabase } from '../db/test-database.ts';
import { type DnsServer, startDnsServer } from '../domains/dns-server.ts';
import {
  ADDRESS,
  type Authority,
  type ChildMessage,
  type ChildOptions,
  startCertificates,
} from './certificates-server.ts';

const OWNER = '00000000-0000-4000-8000-000000000001';

export type CertificatesBench = Awaited<ReturnType<typeof openCertificatesBench>>;

/** A database, a name server, and an edge that only answers challenges. Several servers can run one after the other. */
export async function openCertificatesBench() {
  const database = await createTestDatabase(migrate);
  const errors: unknown[] = [];
  const logError = (error: unknown) => void errors.push(error);
  const pool = createPool(database.connection, logError);
  const keysFolder = await mkdtemp(join(tmpdir(), 'longshore-certificates-'));
  const db = createDatabase(pool);
  const store = createCertificateStore({ db, seal: await createSeal(createKeyFolder(keysFolder)) });
  const dns: DnsServer = await startDnsServer();
  const challenges = new Map<string, string>();
  const certificates = new Map<string, EdgeState['certificates'][number]>();
  const requested: string[] = [];
  const http = createServer((request, response) => {
    requested.push(request.url ?? '');
    const token = request.url?.replace('/.well-known/acme-challenge/', '') ?? '';
    const answer = challenges.get(token);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, ADDRESS);
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const apps: PublicApp[] = [];

  const edge = {
    change(change: StateChange) {
      for (const [token, answer] of Object.entries(change.challenges ?? {}))
        challenges.set(token, answer);
      for (const token of change.removedChallenges ?? []) challenges.delete(token);
      for (const each of change.certificates ?? []) certificates.set(each.id, each);
      for (const id of change.removedCertificates ?? []) certificates.delete(id);
    },
  };

  return {
    db,
    pool,
    store: store as CertificateStore,
    dns,
    /** Where the edge listens. */
    port,
    /** Unexpected errors; a test ends with none. */
    errors,
    /** What the edge has. */
    challenges,
    certificates,
    /** Paths that were requested at the edge. */
    requested,
    /** Public apps. */
    apps,
    /** An app that serves the domain, with its record in DNS. */
    addDomain(domain: string, { isProved = true, ownerId = OWNER } = {}) {
      dns.set(`A ${domain}`, ADDRESS);
      const publicAccess = { enabled: true, domain, baseDomain: 'localhost' };
      const ports = [{ number: 80, expose: true }] as unknown as PublicApp['values']['ports'];
      apps.push({
        id: `app-${apps.length}`,
        ownerId,
        values: { name: 'shop', instances: 1, publicAccess, ports },
        routed: [{ domain, isProved }],
      });
    },
    /** A server that gets certificates, until it is stopped. */
    async start(
      authority: Authority,
      options: {
        send?: (send: AcmeSend) => AcmeSend;
        clock?: Clock;
        names?: Partial<CertificatesDeps['names']>;
        file?: CertificatesDeps['file'];
      } = {},
    ) {
      const here = { store, apps, edge, port, dnsServer: dns.address, logError };
      return await startCertificates({ ...here, ...options }, authority);
    },
    /**
     * The same in a process of its own, which is killed in the middle of a request: the authority gets the first one whose path
     * contains `path`, but nobody gets the response.
     */
    async startAndKill(authority: Authority, path: string): Promise<void> {
      const { connection } = database;
      const options = { connection, keysFolder, apps, port, dnsServer: dns.address, path };
      const argument: ChildOptions = { ...options, authority };
      const child = fork(join(import.meta.dirname, 'certificates-child.ts'), [
        JSON.stringify(argument),
      ]);
      await reached(child, edge.change);
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async close() {
      await dns.close();
      http.closeAllConnections();
      http.close();
      await pool.end();
      await database.drop();
      await rm(keysFolder, { recursive: true });
    },
  };
}

/** Until the child hangs. Meanwhile the edge gets what the child sends. */
async function reached(child: ChildProcess, change: (change: StateChange) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('exit', () => reject(new Error('The child ended')));
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'change') change(message.change);
    else resolve();
  });
  await promise;
}
