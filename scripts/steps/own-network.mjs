import { runCommand } from './run-command.mjs';

const ENTER = ['unshare', '--net', '--'];
const START_LOOPBACK = ['ip', 'link', 'set', 'lo', 'up'];

/** Whether this user can run programs in a network namespace of their own. */
export async function hasOwnNetworks() {
  return await runCommand([...ENTER, ...START_LOOPBACK], { onOutput() {} }).then(
    (code) => code === 0,
    () => false,
  );
}

/** Runs a program where it sees no network but the loopback addresses, and where its devices and firewall disturb nobody. */
export function inOwnNetwork(argv) {
  return [...ENTER, 'sh', '-c', `${START_LOOPBACK.join(' ')} && exec "$@"`, 'sh', ...argv];
}
