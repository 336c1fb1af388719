import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

const HOST = '127.0.0.1';
const SERVER = `require('net').createServer((socket) => socket.on('data', () => console.log('data'))).listen(
  { port: 0, host: '${HOST}', backlog: 1 },
  function () { console.log(this.address().port); },
)`;

/** A program that accepts connections, and never answers. `lose`: from then on as on a machine without power. */
export async function startLosable() {
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = await once(child.stdout, 'data');
  const address = { host: HOST, port: Number(printed) };
  return {
    address,
    /** Resolves when it gets a request. */
    async requested() {
      await once(child.stdout, 'data');
    },
    /** A program that is stopped, and whose queue of connections is full. */
    async lose() {
      child.kill('SIGSTOP');
      // The queue has room for one more than the backlog.
      for (let count = 0; count < 2; count += 1) {
        const socket = connect(address).on('error', () => {});
        onTestFinished(() => void socket.destroy());
        await once(socket, 'connect');
      }
    },
  };
}

export async function silentAddress(): Promise<{ host: string; port: number }> {
  const { address, lose } = await startLosable();
  await lose();
  return address;
}
