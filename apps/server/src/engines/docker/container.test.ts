import { describe, expect, it } from 'vitest';
import { type Container, exposedPort, toInstance } from './container.ts';

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
  HostConfig: {},
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
  const bindings = { '3000/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }] };
  const asked = { IPAddress: '', IPAMConfig: { IPv4Address: '10.212.0.7' } };

  it.each([
    ['is its published port', { '20001': bindings }, { IPAddress: '172.18.0.2', IPAMConfig: {} }],
    ['is its published port', { '20001': bindings }, { IPAddress: '10.212.0.7', IPAMConfig: null }],
    ['is its own, if it keeps that', { '3000': undefined }, asked],
  ])('%s: %j with %j', (_, publishing, endpoint) => {
    const [[port = '', PortBindings] = []] = Object.entries(publishing);
    const container: Container = {
      ...CONTAINER,
      Config: { Labels: { ...CONTAINER.Config.Labels, 'dev.longshore.port': port } },
      HostConfig: PortBindings === undefined ? {} : { PortBindings },
      NetworkSettings: { Networks: { project: endpoint } },
    };
    const host = PortBindings === undefined ? '10.212.0.7' : '127.0.0.1';
    expect(toInstance(container).address).toEqual({ host, port: Number(port) });
    expect(exposedPort(container)).toBe(3000);
  });

  it('has no port when the app exposes none', () => {
    const container = { ...CONTAINER, Config: { Labels: { 'dev.longshore.port': '0' } } };
    expect(exposedPort(container)).toBeUndefined();
  });
});
