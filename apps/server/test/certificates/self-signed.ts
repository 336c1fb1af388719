import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

// biome-ignore lint/style/noProcessEnv: where programs are.
const { PATH = '' } = process.env;

export const hasOpenssl = PATH.split(':').some((folder) => existsSync(join(folder, 'openssl')));

const EC_KEY = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A certificate that signed itself, with its key. Both PEM. Valid from now on for the days. */
export async function selfSigned(
  names: string[],
  { days = 30, key: kind = EC_KEY }: { days?: number; key?: string[] } = {},
): Promise<{ cert: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-certificate-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const alternatives = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`));
  const key = ['-newkey', ...kind, '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  const subject = ['-subj', '/CN=longshore test', '-days', String(days)];
  const extension = ['-addext', `subjectAltName=${alternatives.join(',')}`];
  await promisify(execFile)(
    'openssl',
    ['req', '-x509', ...key, ...files, ...subject, ...extension],
    { timeout: 30_000 },
  );
  const pair = { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') };
  await rm(folder, { recursive: true });
  return pair;
}
