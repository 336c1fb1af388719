import { connect, type NetConnectOpts } from 'node:net';

/** A machine answers so, also if nothing listens any more. */
const REFUSALS = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT'];

/** Whether an address neither accepts nor refuses connections, as that of a machine without power or network. */
export function isLost(address: NetConnectOpts, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (isSilent: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isSilent);
    };
    const timer = setTimeout(() => end(true), timeoutMs);
    socket
      .on('connect', () => end(false))
      .on('error', ({ code = '' }: NodeJS.ErrnoException) => end(!REFUSALS.includes(code)));
  });
}
