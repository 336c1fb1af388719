import { createHash, createPrivateKey, type X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@longshore/edge-contract';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { Secret } from '../secrets/secret.ts';
import { parseChain } from './certificate-chain.ts';

/** The operator's own certificate, often for `*.<base domain>`. */
export type FileCertificate = {
  id: string;
  names: readonly string[];
  chain: string;
  key: Secret;
  until: number;
  /** Changes with the content. */
  version: string;
};

export type CertificateFiles = { certFile: string; keyFile: string };

type Parsed =
  | { ok: true; certificate: FileCertificate }
  | { ok: false; problem: string; version: string };

const ID = 'file';
const CHECK_MS = 5_000;

/**
 * Reads the files, and again when they change. The first certificate must be usable. Later, one that is not is reported, and
 * the former one stays in use: programs that renew certificates write one file after the other.
 */
export async function openOperatorCertificate(
  files: CertificateFiles,
  { clock, changed, warn }: { clock: Clock; changed(): void; warn(text: string): void },
): Promise<{ current(): FileCertificate; stop(): Promise<void> }> {
  const first = await readCertificate(files, clock.now());
  if (!first.ok) throw new StartProblem(first.problem);
  let current = first.certificate;
  /** The content that could not be used, and whether that was reported. */
  let unusable: { version: string; isReported: boolean } | undefined;
  let isStopped = false;
  let checking: Promise<void> | undefined;
  let timer = clock.setTimeout(tick, CHECK_MS);

  function tick(): void {
    checking = check().finally(() => {
      checking = undefined;
      if (!isStopped) timer = clock.setTimeout(tick, CHECK_MS);
    });
  }

  async function check(): Promise<void> {
    const read = await readCertificate(files, clock.now());
    if (read.ok) {
      unusable = undefined;
      if (read.certificate.version === current.version) return;
      current = read.certificate;
      changed();
      return;
    }
    const isSeenBefore = unusable?.version === read.version;
    const isReported = unusable?.isReported === true && isSeenBefore;
    if (isSeenBefore && !isReported) warn(`${read.problem} The former certificate stays in use.`);
    unusable = { version: read.version, isReported: isReported || isSeenBefore };
  }

  return {
    current: () => current,
    async stop() {
      isStopped = true;
      clock.clearTimeout(timer);
      await checking;
    },
  };
}

async function readCertificate(
  { certFile, keyFile }: CertificateFiles,
  now: number,
): Promise<Parsed> {
  const [chain, key] = await Promise.all([read(certFile), read(keyFile)]);
  const version = createHash('sha256')
    .update(JSON.stringify([chain, key]))
    .digest('hex');
  const problem = (text: string): Parsed => ({ ok: false, problem: text, version });
  if (!chain.ok) return problem(`LONGSHORE_TLS_CERT: cannot read ${certFile} (${chain.code}).`);
  if (!key.ok) return problem(`LONGSHORE_TLS_KEY: cannot read ${keyFile} (${key.code}).`);
  const checked = checkCertificate({ chain: chain.text, key: key.text }, now);
  switch (checked.kind) {
    case 'bad-certificate':
      return problem(`LONGSHORE_TLS_CERT: ${certFile} ${checked.problem}.`);
    case 'bad-key':
      return problem(`LONGSHORE_TLS_KEY: ${keyFile} ${checked.problem}.`);
    case 'usable': {
      const { kind: _, key: privateKey, ...certificate } = checked;
      const secret = new Secret(privateKey);
      return { ok: true, certificate: { id: ID, version, ...certificate, key: secret } };
    }
  }
}

type Checked =
  | { kind: 'usable'; names: string[]; until: number; chain: string; key: string }
  | { kind: 'bad-certificate' | 'bad-key'; problem: string };

/** Whether a certificate and a key can be used together now. Both PEM. */
export function checkCertificate(files: { chain: string; key: string }, now: number): Checked {
  const parsed = parseChain(files.chain);
  if ('problem' in parsed) return { kind: 'bad-certificate', problem: parsed.problem };
  const { certificate, chain } = parsed;
  const until = Date.parse(certificate.validTo);
  if (until <= now) {
    return { kind: 'bad-certificate', problem: `expired on ${dayOf(until)}` };
  }
  const names = dnsNames(certificate);
  if (names.length === 0) return { kind: 'bad-certificate', problem: 'contains no DNS name' };
  const privateKey = parse(() => createPrivateKey(files.key));
  if (privateKey === undefined) {
    return { kind: 'bad-key', problem: 'contains no private key in PEM format without a password' };
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    return { kind: 'bad-key', problem: 'is not the key of the certificate in LONGSHORE_TLS_CERT' };
  }
  // Without anything else that is in the file.
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return parse(() => createSecureContext({ cert: chain, key })) === undefined
    ? { kind: 'bad-certificate', problem: 'cannot be used for TLS: its key is too weak' }
    : { kind: 'usable', names, until, chain, key };
}

function dnsNames({ subjectAltName = '' }: X509Certificate): string[] {
  const names = subjectAltName.split(', ').filter((name) => name.startsWith('DNS:'));
  return names.map((name) => name.slice('DNS:'.length).toLowerCase());
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function parse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

async function read(
  path: string,
): Promise<{ ok: true; text: string } | { ok: false; code: string }> {
  try {
    return { ok: true, text: await readFile(path, 'utf8') };
  } catch (error) {
    return { ok: false, code: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
  }
}
