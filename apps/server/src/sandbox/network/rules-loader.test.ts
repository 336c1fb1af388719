import { expect, it } from 'vitest';
import { type HostCommands, NetworkCommandFailed } from './host-commands.ts';
import { createRulesLoader } from './rules-loader.ts';
import type { Member } from './ruleset.ts';

const settings = {
  installation: 'abc123',
  network: { base: 10 * 2 ** 24, bits: 16 },
  allowedNetworks: [],
  edge: { host: '127.0.0.1', ports: [8080] },
  resolvers: { nameservers: ['9.9.9.9'], forwardTo: undefined },
  builders: { reachesPrivateNetworks: false, forwardedPorts: [], registries: [] },
};

function member(number: number): Member {
  return {
    device: `lsabc123000000${number}`,
    address: `10.0.0.${number}`,
    project: 1,
    isBuilder: false,
  };
}

/** nft that answers when the test says so. */
function start() {
  const transactions: string[] = [];
  const answers: ((isOk: boolean) => void)[] = [];
  const run: HostCommands['run'] = (argv, { input = '' }) => {
    transactions.push(input);
    return new Promise((resolve, reject) => {
      answers.push((isOk) => {
        if (isOk) resolve('');
        else reject(new NetworkCommandFailed(argv, { kind: 'exited', code: 1 }, 'No such file'));
      });
    });
  };
  const members: Member[] = [];
  const host = { run } as HostCommands;
  const loader = createRulesLoader({ host, settings, members: () => [...members] });
  const answer = async (isOk = true) => {
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    answers.shift()?.(isOk);
  };
  return { transactions, members, loader, answer };
}

it('loads a whole table first, then changes', async () => {
  const { transactions, members, loader, answer } = start();
  members.push(member(1));
  const first = loader.load();
  await answer();
  await first;
  members.push(member(2));
  members.shift();
  const second = loader.load();
  await answer();
  await second;
  expect(transactions[0]).toContain('delete table inet longshore_abc123');
  expect(transactions[1]).toContain('add element inet longshore_abc123 members { 10.0.0.2 . 1 }');
  expect(transactions[1]).toContain(
    'delete element inet longshore_abc123 members { 10.0.0.1 . 1 }',
  );
});

it('combines all calls that wait for a running transaction', async () => {
  const { transactions, members, loader, answer } = start();
  const first = loader.load();
  await expect.poll(() => transactions.length).toBe(1);
  const others = [2, 3, 4].map((number) => {
    members.push(member(number));
    return loader.load();
  });
  await answer();
  await first;
  await answer();
  await Promise.all(others);
  expect(transactions).toHaveLength(2);
  expect(transactions[1]).toContain('{ 10.0.0.2 . 1, 10.0.0.3 . 1, 10.0.0.4 . 1 }');
});

it('replaces the table when a change fails', async () => {
  const { transactions, members, loader, answer } = start();
  const first = loader.load();
  await answer();
  await first;
  members.push(member(1));
  const second = loader.load();
  await answer(false);
  await answer();
  await second;
  expect(transactions[2]).toContain(
    'set members { type ipv4_addr . mark; elements = { 10.0.0.1 . 1 }; }',
  );
});

it('rejects when the table cannot be loaded, and loads it again', async () => {
  const { transactions, loader, answer } = start();
  const first = loader.load();
  await answer(false);
  await expect(first).rejects.toThrow('No such file');
  const second = loader.load();
  await answer();
  await second;
  expect(transactions[1]).toBe(transactions[0]);
});

it('does nothing when nothing changed', async () => {
  const { transactions, loader, answer } = start();
  const first = loader.load();
  await answer();
  await first;
  await loader.load();
  expect(transactions).toHaveLength(1);
});
