import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

export type Setting = readonly [name: string, value: string];

/** Small: a single server uses it. The durability settings keep their defaults. */
const SETTINGS: readonly Setting[] = [
  // Only the unix socket, no TCP port.
  ['listen_addresses', ''],
  ['unix_socket_permissions', '0700'],
  ['max_connections', '40'],
  ['shared_buffers', '12MB'],
  ['work_mem', '4MB'],
  ['maintenance_work_mem', '16MB'],
  ['io_method', 'sync'],
  ['jit', 'off'],
  // No background workers but autovacuum.
  ['max_worker_processes', '0'],
  ['max_parallel_workers', '0'],
  ['max_parallel_workers_per_gather', '0'],
  ['max_parallel_maintenance_workers', '0'],
  ['max_logical_replication_workers', '0'],
  ['autovacuum_worker_slots', '1'],
  ['autovacuum_max_workers', '1'],
  // No replicas.
  ['wal_level', 'minimal'],
  ['max_wal_senders', '0'],
  ['max_replication_slots', '0'],
  ['max_wal_size', '128MB'],
  ['min_wal_size', '16MB'],
  // Old segments are deleted, so that what they contain does not stay on the disk.
  ['wal_recycle', 'off'],
  ['checkpoint_timeout', '15min'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  ['log_checkpoints', 'off'],
  // The server logs failed statements itself, and statements may contain secrets.
  ['log_min_messages', 'log'],
  ['log_min_error_statement', 'panic'],
];

/** The command line of Postgres. A running Postgres with other arguments is replaced. */
export function postgresArgv(
  cluster: Cluster,
  extra: readonly Setting[] = [],
): [program: string, ...args: string[]] {
  return [
    join(cluster.binDir, 'postgres'),
    '-D',
    cluster.dataFolder,
    '-k',
    cluster.socketFolder,
    ...[...SETTINGS, ...extra].flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Uses Postgres' built-in locale, so that the collation does not depend on the machine. */
export function initdbArgv(
  binDir: string,
  dataFolder: string,
  user: string,
): [program: string, ...args: string[]] {
  return [
    join(binDir, 'initdb'),
    `--pgdata=${dataFolder}`,
    `--username=${user}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--wal-segsize=4',
    // The permissions of the socket's folder protect the database.
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
}
