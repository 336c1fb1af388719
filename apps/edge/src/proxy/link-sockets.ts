import type { Socket } from 'node:net';

type LinkLimits = {
  /** A socket without any bytes is closed after this time. */
  idleMs: number;
  /** The same, after one direction has ended. */
  halfClosedMs: number;
};

/** Closes each of two joined sockets after the other. One direction may end before the other. */
export function linkSockets(
  [one, other]: [Socket, Socket],
  { idleMs, halfClosedMs }: LinkLimits,
  onEnd: () => void,
): void {
  let openSockets = 2;
  link(one, other);
  link(other, one);

  function link(from: Socket, to: Socket): void {
    // An error is always followed by a close.
    from.on('error', () => {});
    from.setTimeout(idleMs);
    from.on('timeout', () => from.destroy());
    from.on('end', () => {
      from.setTimeout(halfClosedMs);
      to.setTimeout(halfClosedMs);
    });
    from.on('close', () => {
      to.destroySoon();
      openSockets -= 1;
      if (openSockets === 0) onEnd();
    });
  }
}
