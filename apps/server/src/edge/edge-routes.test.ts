import type { StateChange } from '@longshore/edge-contract';
import { createSimulatedClock, settle } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createEdgeRoutes } from './edge-routes.ts';

const address = { host: '10.0.0.1', port: 80 };

function recordedRoutes() {
  const changes: StateChange[] = [];
  const clock = createSimulatedClock();
  const edge = {
    change: (change: StateChange) => void changes.push(change),
    drained: async () => {},
    applied: async () => {},
  };
  return { changes, clock, routes: createEdgeRoutes(edge, clock) };
}

it('sends a live route with the state of its targets', () => {
  const { changes, routes } = recordedRoutes();
  routes.set('a', ['a.test'], { kind: 'live', targets: [address], sleepAfterMs: 60_000 });
  routes.remove('a');
  const targets = [{ ...address, state: 'ready' }];
  expect(changes).toEqual([
    {
      routes: [
        { appId: 'a', hosts: ['a.test'], state: { kind: 'live', targets }, sleepAfterMs: 60_000 },
      ],
    },
    { removedApps: ['a'] },
  ]);
});

it('adds the route of an app that the edge may not know', () => {
  const { changes, routes } = recordedRoutes();
  routes.add('a', ['a.test'], { kind: 'starting' });
  expect(changes).toEqual([
    { newRoutes: [{ appId: 'a', hosts: ['a.test'], state: { kind: 'starting' } }] },
  ]);
});

it('is complete when every added app has its own route or is removed', async () => {
  const { routes } = recordedRoutes();
  await routes.allSet(1000);
  for (const appId of ['a', 'b']) routes.add(appId, [], { kind: 'starting' });
  let isComplete = false;
  void routes.allSet(1000).then(() => {
    isComplete = true;
  });
  routes.set('a', [], { kind: 'failed' });
  await settle();
  expect(isComplete).toBe(false);
  routes.remove('b');
  await settle();
  expect(isComplete).toBe(true);
});

it('is complete after the timeout when an app cannot be observed', async () => {
  const { routes, clock } = recordedRoutes();
  routes.add('a', [], { kind: 'starting' });
  const complete = routes.allSet(1000);
  await clock.advance(1000);
  await complete;
});
