import { listenersIn } from '../../processes/listeners.ts';
import type { Container } from './container.ts';

const LOOPBACK = ['127.0.0.1', '[::1]'];
/** Docker's own name server, which listens in every container; the kernel's way to write 127.0.0.11. */
const DOCKER_DNS = '0B00007F';

/** How an instance ended, and what it said last. */
export function exitEvidence({ State }: Pick<Container, 'State'>, lines: string[]): string[] {
  if (State.OOMKilled) return ['It used more memory than its limit allows', ...lines];
  return [`Exit code ${State.ExitCode}`, ...lines];
}

export type Silence = {
  port: number;
  waitedSeconds: number;
  /** Of the container's first process, where this machine's own table can be read. */
  pid: number | undefined;
  lines: string[];
};

/** What was expected, what is there instead, what to do. */
export function silenceEvidence({ port, waitedSeconds, pid, lines }: Silence): string[] {
  return [
    `Nothing answered on port ${port} for ${waitedSeconds} s`,
    ...(pid === undefined ? [] : listeningEvidence(port, listenersIn(pid))),
    ...lines,
  ];
}

export function listeningEvidence(
  port: number,
  seen: { host: string; port: number }[] | undefined,
): string[] {
  if (seen === undefined) return [];
  const listening = seen.filter(({ host }) => host !== DOCKER_DNS);
  if (listening.length === 0) return ['The app listens on no port'];
  const onPort = listening.filter((listener) => listener.port === port);
  if (onPort.some(({ host }) => LOOPBACK.includes(host))) {
    return [
      `The app listens on port ${port}, but only for itself: 127.0.0.1`,
      'Make it listen on 0.0.0.0',
    ];
  }
  const ports = [...new Set(listening.map((listener) => listener.port))].sort((a, b) => a - b);
  return [
    `The app listens on port ${ports.join(', ')}`,
    'Change the port of the app here, or make it listen on the port in the variable PORT',
  ];
}
