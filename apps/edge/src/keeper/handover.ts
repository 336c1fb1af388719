import type { ChildProcess } from 'node:child_process';
import type { KeeperToWorker, WorkerToKeeper } from '../worker/worker-messages.ts';
import type { WorkerChannel, Workers } from './workers.ts';

/** The keeper that replaces this one. Until the last connection of its workers has ended, this one serves as a worker of it. */
export type Successor = {
  send(message: WorkerToKeeper): void;
  onMessage(listener: (message: KeeperToWorker) => void): void;
};

export function successorOf(child: ChildProcess): Successor {
  return {
    send(message) {
      if (child.connected) child.send(message, () => {});
    },
    onMessage: (listener) => void child.on('message', (it) => listener(it as KeeperToWorker)),
  };
}

/** The keeper that started this one, in this one. */
export function predecessorChannel(): WorkerChannel {
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    // It goes on draining, but nobody waits for it any more.
    kill: () => process.disconnect(),
    onMessage: (listener) => void process.on('message', (it) => listener(it as WorkerToKeeper)),
    onExit: (listener) => void process.once('disconnect', () => listener('')),
  };
}

/** Held requests wait for routes that only the successor gets, and apps stop when no worker uses them: it passes all on. */
export function serveSuccessor(successor: Successor, workers: Workers): void {
  successor.onMessage((message) => void receive(message));

  async function receive(message: KeeperToWorker): Promise<void> {
    switch (message.kind) {
      case 'change':
        await workers.change(message.change);
        successor.send({ kind: 'applied', id: message.id });
        break;
      case 'drain':
        await workers.drain(message.target, message.timeoutMs);
        successor.send({ kind: 'drained', id: message.id });
        break;
      case 'ask-activity':
        successor.send({ kind: 'activity', id: message.id, quietMs: await workers.quietMs() });
        break;
      case 'ping':
        successor.send({ kind: 'pong', utilization: 0 });
        break;
      case 'stop':
        await workers.stop(message.drainMs ?? 0);
        break;
      case 'wake-refused':
      case 'ticket-keys':
        workers.broadcast(message);
        break;
      case 'start':
      case 'release':
        break;
    }
  }
}
