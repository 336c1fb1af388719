import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import type { Apps } from '../apps/apps.ts';
import { createAcmeClient } from '../certificates/acme/acme-client.ts';
import { createAcmeSend } from '../certificates/acme/signed-requests.ts';
import { checkArrival } from '../certificates/arrival.ts';
import { createCertificateStore } from '../certificates/certificate-store.ts';
import { type Certificates, createCertificates } from '../certificates/certificates.ts';
import {
  type FileCertificate,
  openOperatorCertificate,
} from '../certificates/operator-certificate.ts';
import { openAccountKey } from '../certificates/private-keys.ts';
import type { DnsClient } from '../domains/dns-client.ts';
import type { Edge } from '../edge/edge.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { startDailyJob } from '../schedule/daily-job.ts';
import { createSeal } from '../secrets/seal.ts';
import type { DataDirectory } from './data-directory.ts';
import type { ServerContext } from './server-context.ts';

/** Opens the certificates, and sends those that are stored to the edge. Without HTTPS nothing is ordered. */
export async function openCertificates(
  { config, clock, shutdown, log, logError }: ServerContext,
  { db, changes, keys }: Pick<DataDirectory, 'db' | 'changes' | 'keys'>,
  { apps, edge, lookUp }: { apps: Apps; edge: Pick<Edge, 'change'>; lookUp: DnsClient },
): Promise<Certificates> {
  const isOn = config.httpsPort !== undefined;
  if (!isOn && (config.acme !== undefined || config.tls !== undefined)) {
    log.warn('HTTPS is off, and no certificates are ordered: LONGSHORE_HTTPS_PORT is not set.');
  }
  const store = createCertificateStore({ db, seal: await createSeal(keys) });
  let file = (): FileCertificate | undefined => undefined;
  if (isOn && config.tls !== undefined) {
    const opened = await openOperatorCertificate(config.tls, {
      clock,
      changed() {
        log.info('The certificate in LONGSHORE_TLS_CERT was reloaded');
        certificates.request();
      },
      warn: (text) => log.warn(text),
    });
    shutdown.add(opened.stop);
    file = opened.current;
  }
  const certificates = createCertificates({
    store,
    apps,
    client: isOn ? await openAcmeClient() : undefined,
    file,
    names: { baseDomain: config.baseDomain, publicUrl: config.publicUrl },
    edge: isOn ? edge : { change: () => {} },
    checkArrival: (domain, challenge, signal) =>
      checkArrival(
        domain,
        challenge,
        { lookUp, clock, ownAddresses: () => [config.publicIp, ...machineAddresses()] },
        signal,
      ),
    listen: changes.listen,
    clock,
    random: Math.random,
    log,
    logError,
  });
  shutdown.add(certificates.stop);
  shutdown.add(startDailyJob(certificates.forgetUnused, { clock, logError }).stop);
  await certificates.load();
  return certificates;

  async function openAcmeClient() {
    if (config.acme === undefined) return undefined;
    const { caFile, ...settings } = config.acme;
    return createAcmeClient({
      settings,
      accountKey: openAccountKey(store, settings.directory),
      send: createAcmeSend(caFile === undefined ? undefined : await readCaFile(caFile)),
      now: clock.now,
    });
  }
}

async function readCaFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const problem = `LONGSHORE_ACME_CA_FILE: cannot read ${path} (${cause.code}).`;
    throw new StartProblem(problem, { cause });
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new StartProblem(`LONGSHORE_ACME_CA_FILE: ${path} contains no certificate in PEM format.`);
}

/** Behind a router, name servers of the operator may give the private address of this machine. */
function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}
