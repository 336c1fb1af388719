import { progressMessage } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { aConfig, anApp } from '../../../../test/resources.ts';
import { appView } from './app-view.ts';
import { hasTakenEffect, type PendingAction } from './pending-action.ts';

const { ingress } = aConfig();
const hibernating: PendingAction = { kind: 'hibernating', since: '2025-01-01T00:00:00Z' };
const waking: PendingAction = { ...hibernating, kind: 'waking' };

describe('the app page', () => {
  it.each([
    ['synced', 1, 'Ready', 'Hibernate', 'streaming'],
    ['syncing', 1, 'Loading', 'Hibernate', 'syncing'],
    ['backoff', 1, 'Error', 'Hibernate', 'streaming'],
    ['synced', 0, 'Hibernated', 'Wake', 'hibernated'],
    ['syncing', 0, 'Hibernated', 'Wake', 'hibernated'],
    ['backoff', 0, 'Hibernated', 'Wake', 'hibernated'],
    ['other', 1, 'Unknown', 'Hibernate', 'streaming'],
  ])(
    'of status %s with %i instances shows %s, %s, logs %s',
    (status, instances, badge, label, logs) => {
      const view = appView(anApp({ status, instances }), undefined, ingress);
      expect([view.badge, view.sleep.label, view.logs]).toEqual([badge, label, logs]);
    },
  );

  it.each([
    ['syncing', 1, 'building'],
    ['syncing', 0, undefined],
    ['synced', 1, undefined],
  ])('of status %s with %i instances shows the phase %s', (status, instances, phase) => {
    const app = anApp({ status, instances, message: progressMessage('building') });
    expect(appView(app, undefined, ingress).phase).toBe(phase);
  });

  it.each([
    ['synced', undefined, undefined],
    ['syncing', undefined, 'Application is currently updating'],
    ['syncing', hibernating, 'Application is currently updating'],
    ['synced', hibernating, 'Processing request...'],
    ['backoff', waking, 'Processing request...'],
  ])('of status %s with the pending action %j is disabled with %j', (status, pending, reason) => {
    const view = appView(anApp({ status }), pending, ingress);
    expect(view.edit).toEqual({ isDisabled: reason !== undefined, reason });
    expect(view.sleep.reason).toBe(reason);
    expect(view.banner).toBe(reason);
  });

  it.each([
    ['synced', { enabled: true, domain: 'auto', baseDomain: 'localhost' }, true],
    ['syncing', { enabled: true, domain: 'auto', baseDomain: 'localhost' }, false],
    ['backoff', { enabled: true, domain: 'auto', baseDomain: 'localhost' }, false],
    ['synced', { enabled: false, domain: 'auto', baseDomain: 'localhost' }, false],
    ['synced', { enabled: true, domain: '', baseDomain: 'localhost' }, false],
  ])(
    'of status %s with access %j shows the public access card: %s',
    (status, publicAccess, isShown) => {
      const { publicAccess: card } = appView(anApp({ status, publicAccess }), undefined, ingress);
      expect(card !== undefined).toBe(isShown);
    },
  );

  it('shows the automatic address with its port, dimmed while hibernated', () => {
    const card = appView(anApp({ instances: 0 }), undefined, ingress).publicAccess;
    expect(card?.url).toMatch(/^http:\/\/shop-[0-9a-f]{12}\.localhost:8080$/);
    expect(card?.isDimmed).toBe(true);
  });

  it('shows the custom domain first and the generated address beside it', () => {
    const generated = appView(anApp(), undefined, ingress).publicAccess?.url;
    const publicAccess = { enabled: true, domain: 'shop.example.com', baseDomain: 'localhost' };
    const view = appView(anApp({ publicAccess }), undefined, ingress);
    expect(view.publicAccess).toMatchObject({
      url: 'http://shop.example.com:8080',
      customDomain: 'shop.example.com',
      generatedUrl: generated,
    });
  });

  it('shows the addresses below the base domain of the server, not below a former one', () => {
    const publicAccess = { enabled: true, domain: 'auto', baseDomain: 'old.example.com' };
    const view = appView(anApp({ publicAccess }), undefined, ingress);
    expect(view.publicAccess?.url).toMatch(/^http:\/\/shop-[0-9a-f]{12}\.localhost:8080$/);
  });

  it('shows no address when no port is exposed', () => {
    const view = appView(anApp({ ports: [{ number: 80, expose: false }] }), undefined, ingress);
    expect(view.publicAccess).toBeUndefined();
  });
});

describe('the public access card', () => {
  it.each([
    [1, undefined, undefined],
    [0, undefined, 'The application is hibernated and not reachable.'],
    [1, 1, 'Sleeps after 1 minute without traffic. The next request wakes it.'],
    [1, 10, 'Sleeps after 10 minutes without traffic. The next request wakes it.'],
    [0, 10, 'The application is asleep. The next request wakes it.'],
  ])(
    'of %i instances that sleep after %j minutes has the note %j',
    (instances, afterMinutes, note) => {
      const sleep = afterMinutes === undefined ? {} : { sleep: { afterMinutes } };
      const view = appView(anApp({ instances, ...sleep }), undefined, ingress);
      expect(view.publicAccess?.note).toBe(note);
    },
  );
});

describe('a pending action', () => {
  const before = '2025-01-01T00:00:00Z';
  const after = '2025-01-01T00:00:01Z';
  it.each([
    ['hibernating', 'syncing', 1, before, true],
    ['hibernating', 'synced', 1, before, false],
    ['hibernating', 'synced', 1, after, false],
    ['hibernating', 'synced', 0, after, true],
    ['waking', 'synced', 0, after, false],
    ['waking', 'synced', 1, after, true],
    ['updating', 'synced', 1, before, false],
    ['updating', 'synced', 1, after, true],
  ] as const)(
    '%s, with status %s and %i instances at %s, has taken effect: %s',
    (kind, status, instances, updatedAt, isOver) => {
      expect(hasTakenEffect({ kind, since: before }, anApp({ status, instances, updatedAt }))).toBe(
        isOver,
      );
    },
  );
});
