import type { ListenerInfo } from '@longshore/edge-contract';

export type ContainerSettings = {
  secret: string;
  listeners: ListenerInfo[];
  /** How long a pod that ends stays ready: until no load balancer sends connections to its node. */
  leaveMs: number;
  /** For requests in flight, after that. */
  drainMs: number;
};

type Environment = Record<string, string | undefined>;

const MIN_SECRET_LENGTH = 32;
const DEFAULTS = {
  LONGSHORE_INGRESS_PORT: '80',
  LONGSHORE_EDGE_LEAVE_SECONDS: '20',
  LONGSHORE_EDGE_DRAIN_SECONDS: '30',
};

/** From the variables of the container. Throws a sentence that names the one that is wrong. */
export function containerSettings(environment: Environment): ContainerSettings {
  const variables: Environment = { ...DEFAULTS, ...environment };
  const integer = (name: string, max: number): number => {
    const text = variables[name]?.trim() ?? '';
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 1 && number <= max) return number;
    throw new Error(`${name} must be a whole number between 1 and ${max}, not "${text}".`);
  };
  const secret = variables.LONGSHORE_EDGE_KEY?.trim() ?? '';
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`LONGSHORE_EDGE_KEY must have at least ${MIN_SECRET_LENGTH} characters.`);
  }
  const listener = (protocol: 'http' | 'https', name: string): ListenerInfo => ({
    protocol,
    host: '0.0.0.0',
    port: integer(name, 65_535),
  });
  return {
    secret,
    leaveMs: integer('LONGSHORE_EDGE_LEAVE_SECONDS', 3_600) * 1_000,
    drainMs: integer('LONGSHORE_EDGE_DRAIN_SECONDS', 3_600) * 1_000,
    listeners: [
      listener('http', 'LONGSHORE_INGRESS_PORT'),
      ...(variables.LONGSHORE_HTTPS_PORT ? [listener('https', 'LONGSHORE_HTTPS_PORT')] : []),
    ],
  };
}
