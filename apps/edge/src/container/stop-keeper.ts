import { once } from 'node:events';
import { connect } from 'node:net';
import { PROTOCOL, toLine } from '@longshore/edge-contract';

/** Stops the keeper, which finishes requests in flight first. Resolves when it has closed the connection. */
export async function stopKeeper(socket: string, secret: string, drainMs: number): Promise<void> {
  const keeper = connect(socket);
  keeper.resume();
  const closed = once(keeper, 'close');
  keeper.write(toLine({ kind: 'hello', protocol: PROTOCOL, secret, installation: 'container' }));
  keeper.write(toLine({ kind: 'stop', drainMs }));
  await closed;
}
