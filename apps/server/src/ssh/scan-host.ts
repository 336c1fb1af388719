import { run } from '../processes/run.ts';

export type SshHost = {
  /** A host name, or preferably an address that was already resolved and checked. */
  host: string;
  port: number;
};

const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };
const RESPONSE_TIMEOUT_SECONDS = 10;
const TIMEOUT_MS = 30_000;
const KEY_LINE = /^\S+ (ssh-ed25519|ecdsa-sha2-nistp256|ssh-rsa) ([A-Za-z0-9+/]+=*)$/;

/** The public keys of a host, as `type base64`; none if it does not respond. */
export async function scanHost({ host, port }: SshHost, signal: AbortSignal): Promise<string[]> {
  const keys: string[] = [];
  const options = [
    '-T',
    String(RESPONSE_TIMEOUT_SECONDS),
    '-p',
    String(port),
    '-t',
    'ed25519,ecdsa,rsa',
  ];
  const onLine = (line: string) => {
    const [, type, key] = KEY_LINE.exec(line) ?? [];
    if (type !== undefined) keys.push(`${type} ${key}`);
  };
  await run(
    { argv: ['ssh-keyscan', ...options, '--', host], cwd: '/', env: ENV },
    { signal, timeoutMs: TIMEOUT_MS, onLine },
  );
  return keys.sort();
}
