import { readFileSync } from 'node:fs';
import {
  type ListeningSocket,
  listeningSocketsInNamespaceOf,
} from '../../processes/listening-sockets.ts';
import type { Container } from './container.ts';

/** 127.0.0.11 as the kernel writes it: Docker's DNS server, which listens in every container. */
const DOCKER_DNS = '0B00007F';

/** The sockets that the programs of a container listen on; undefined when it runs on another machine, or out of sight. */
export function listeningSocketsOfContainer({
  Id,
  State: { Pid },
}: Pick<Container, 'Id' | 'State'>): ListeningSocket[] | undefined {
  if (!isProcessOf(Id, Pid)) return undefined;
  return listeningSocketsInNamespaceOf(Pid)?.filter(({ host }) => host !== DOCKER_DNS);
}

/** The number may be the one of another process here. */
function isProcessOf(containerId: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(containerId);
  } catch {
    return false;
  }
}
