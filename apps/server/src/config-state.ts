import { isIP } from 'node:net';
import { ConfigProblem, hostAndPort, longSecret } from './config-values.ts';
import type { VariableName } from './config-variables.ts';
import { isLoopback } from './http/host-check.ts';
import type { Secret } from './secrets/secret.ts';

export type StateSettings = {
  /** `shared`: all state is in Postgres and the object store, so several servers may use them. */
  state: 'local' | 'shared';
  /** Encrypts the keys in Postgres. Only with shared state. */
  masterKey: Secret | undefined;
  /** Address and port where other servers reach this one. Undefined: an address of this machine. */
  replicaAddress: string | undefined;
};

const NEEDED = [
  'DATABASE_URL',
  'LONGSHORE_MASTER_KEY',
  'LONGSHORE_S3_ENDPOINT',
  'LONGSHORE_EDGE_ADDRESS',
] as const;

export function stateSettings(
  state: StateSettings['state'],
  text: (name: VariableName) => string,
): StateSettings {
  const address = text('LONGSHORE_REPLICA_ADDRESS');
  if (state === 'local') {
    const unused = (['LONGSHORE_MASTER_KEY', 'LONGSHORE_REPLICA_ADDRESS'] as const).find(text);
    if (unused !== undefined) throw new ConfigProblem(unused, 'needs LONGSHORE_STATE=shared.');
    return { state, masterKey: undefined, replicaAddress: undefined };
  }
  const missing: string[] = NEEDED.filter((name) => text(name) === '');
  if (text('LONGSHORE_ENGINE') !== 'kubernetes') missing.push('LONGSHORE_ENGINE=kubernetes');
  if (address === '' && isLoopback(text('LONGSHORE_HOST'))) missing.push('LONGSHORE_HOST=0.0.0.0');
  if (missing.length > 0)
    throw new ConfigProblem('LONGSHORE_STATE', `shared needs ${missing.join(', ')}.`);
  if (address !== '' && isIP(hostAndPort('LONGSHORE_REPLICA_ADDRESS', address).host) === 0) {
    throw new ConfigProblem(
      'LONGSHORE_REPLICA_ADDRESS',
      `must be an IP address and a port such as 192.0.2.7:1337, not "${address}".`,
    );
  }
  return {
    state,
    masterKey: longSecret('LONGSHORE_MASTER_KEY', text('LONGSHORE_MASTER_KEY')),
    replicaAddress: address || undefined,
  };
}
