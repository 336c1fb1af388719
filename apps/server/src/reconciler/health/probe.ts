import { request } from 'node:http';
import { connect } from 'node:net';
import type { HealthCheck } from '@longshore/contract';
import type { Address } from '../../engines/engine.ts';
import { PROBE_TIMEOUT_MS, type ProbeResult } from './health-rules.ts';

/** `host`: the name that visitors use, because frameworks refuse unknown ones. */
export type ProbeTarget = { address: Address; check: HealthCheck; host: string };

/** Rejects only when it is aborted. */
export type Probe = (target: ProbeTarget, signal: AbortSignal) => Promise<ProbeResult>;

const MAX_HEADER_BYTES = 16_384;
/** Without a status in the settings: success, and redirects, which are not followed. */
const GOOD = { min: 200, max: 399 };

/** Connects to the instance itself, not through the edge: a check is no visit, and wakes nothing. */
export async function probe(
  target: ProbeTarget,
  signal: AbortSignal,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<ProbeResult> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const result = await (target.check.path === undefined
    ? probeTcp(target.address, either)
    : probeHttp(target, target.check.path, either));
  signal.throwIfAborted();
  if (result.kind === 'passed' || !deadline.aborted) return result;
  return { kind: 'failed', problem: `no response within ${timeoutMs / 1_000} s` };
}

function probeTcp(address: Address, signal: AbortSignal): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, signal });
    socket.once('connect', () => {
      socket.destroy();
      resolve({ kind: 'passed' });
    });
    socket.once('error', (error) => resolve(failed(error)));
  });
}

/** The body is not read. */
function probeHttp(
  { address, check, host }: ProbeTarget,
  path: string,
  signal: AbortSignal,
): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const sent = request(
      {
        ...address,
        path,
        signal,
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { host, 'user-agent': 'Longshore-Health-Check', accept: '*/*' },
      },
      (response) => {
        resolve(judge(response.statusCode ?? 0, check));
        response.destroy();
      },
    );
    sent.once('error', (error) => resolve(failed(error)));
    sent.end();
  });
}

function judge(status: number, { status: expected }: HealthCheck): ProbeResult {
  const isGood =
    expected === undefined ? status >= GOOD.min && status <= GOOD.max : status === expected;
  if (isGood) return { kind: 'passed' };
  const wanted = expected ?? `${GOOD.min} to ${GOOD.max}`;
  return { kind: 'failed', problem: `status ${status}, expected ${wanted}` };
}

const PROBLEMS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed without a response',
  EHOSTUNREACH: 'not reachable',
};

function failed({ code = '' }: NodeJS.ErrnoException): ProbeResult {
  return { kind: 'failed', problem: PROBLEMS[code] ?? `no valid response (${code || 'error'})` };
}
