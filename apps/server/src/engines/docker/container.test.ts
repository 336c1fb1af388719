import { describe, expect, it } from 'vitest';
import { type Container, exposedPort, toInstance, variablesOf } from './container.ts';

const AT = new Date('2026-11-15T09:00:05Z');

const CONTAINER: Container = {
  Id: 'id',
  RestartCount: 0,
  Config: {
    Labels: {
      'dev.longshore.app': '3f2a91aa-0000-0000-0000-000000000000',
      'dev.longshore.release': '4',
      'dev.longshore.instance': '2',
      'dev.longshore.port': '20001',
    },
  },
  HostConfig: { NetworkMode: 'project' },
  NetworkSettings: { Networks: {} },
  State: {
    Status: 'running',
    Running: true,
    Restarting: false,
    OOMKilled: false,
    ExitCode: 0,
    Pid: 1,
    StartedAt: '2026-11-15T09:00:00Z',
    FinishedAt: AT.toISOString(),
    Error: '',
  },
};

describe('toInstance', () => {
  it.each([
    [{}, { kind: 'running' }],
    [
      { Running: false, ExitCode: 3 },
      { kind: 'exited', exit: { code: 3, signal: undefined, at: AT } },
    ],
    [
      { Running: false, ExitCode: 137, OOMKilled: true },
      { kind: 'exited', exit: { code: undefined, signal: 'SIGKILL', at: AT, isOutOfMemory: true } },
    ],
    [
      { Running: true, Restarting: true, ExitCode: 1 },
      { kind: 'exited', exit: { code: 1, signal: undefined, at: AT } },
    ],
  ])('converts a container with %j', (changes, expected) => {
    const container = { ...CONTAINER, State: { ...CONTAINER.State, ...changes } };
    expect(toInstance(container)).toMatchObject({
      id: '2',
      release: 4,
      logName: 'app-3f2a91-2',
      state: expected,
    });
  });
});

describe('the address of a container', () => {
  const PortBindings = { '3000/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }] };
  const chosen = { IPAddress: '10.212.0.7', IPAMConfig: {} };
  const asked = { IPAddress: '', IPAMConfig: { IPv4Address: '10.212.0.7' } };
  const other = { IPAddress: '10.9.0.5', IPAMConfig: { IPv4Address: '10.9.0.5' } };

  it.each([
    ['its published port', '20001', { project: chosen }, '127.0.0.1', 20_001],
    ['its own, if it keeps that', '3000', { project: asked }, '10.212.0.7', 3000],
    ['that in its project', '3000', { backend: other, project: asked }, '10.212.0.7', 3000],
    ['none outside of its project', '3000', { backend: other }, '127.0.0.1', 0],
  ])('is %s', (_, label, Networks, host, port) => {
    const container = containerWith({
      Config: { Labels: { 'dev.longshore.port': label } },
      HostConfig: { NetworkMode: 'project', ...(label === '20001' ? { PortBindings } : {}) },
      NetworkSettings: { Networks },
    });
    expect(toInstance(container).address).toEqual({ host, port });
    expect(exposedPort(container)).toBe(port === 0 ? undefined : 3000);
  });

  it('has no port when the app exposes none', () => {
    const container = containerWith({ Config: { Labels: { 'dev.longshore.port': '0' } } });
    expect(exposedPort(container)).toBeUndefined();
  });
});

it('reads the variables that a container got', () => {
  const Env = ['PATH=/bin', 'URL=postgres://u:p=w@db', 'EMPTY=', 'LINES=a\nb=c'];
  const container = containerWith({ Config: { Labels: {}, Env } });
  expect(variablesOf(container, ['URL', 'EMPTY', 'LINES', 'MISSING'])).toEqual({
    URL: 'postgres://u:p=w@db',
    EMPTY: '',
    LINES: 'a\nb=c',
  });
});

function containerWith(changes: Partial<Container>): Container {
  return { ...CONTAINER, ...changes };
}
