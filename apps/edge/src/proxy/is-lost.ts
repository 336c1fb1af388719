import { connect, type NetConnectOpts } from 'node:net';

/** Others come from a machine that is there, or from this one, such as one that has no more ports or file descriptors. */
const LOSSES = ['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'];

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
      .on('error', ({ code = '' }: NodeJS.ErrnoException) => end(LOSSES.includes(code)));
  });
}
