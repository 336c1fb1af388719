import { isIP } from 'node:net';

/** Whether a host, as an address writes it, is this machine's for itself, whoever asks. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
