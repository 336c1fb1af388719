import { expect, it } from 'vitest';
import { quotaFailure } from './quota.ts';

it.each([
  [
    'pods "shop-1-a" is forbidden: exceeded quota: team, requested: limits.memory=512Mi, used: limits.memory=1Gi, limited: limits.memory=1Gi',
    ['Quota team', 'limits.memory: 1Gi of 1Gi used, 512Mi more needed'],
  ],
  [
    'deployments.apps "a" is forbidden: exceeded quota: project, requested: count/deployments.apps=1,pods=2, used: count/deployments.apps=500,pods=499, limited: count/deployments.apps=500,pods=500',
    [
      'Quota project',
      'count/deployments.apps: 500 of 500 used, 1 more needed',
      'pods: 499 of 500 used, 2 more needed',
    ],
  ],
])('explains %s', (message, evidence) => {
  expect(quotaFailure(message)).toMatchObject({ reason: 'cluster-quota-reached', evidence });
});

it.each(['pods is forbidden: User "a" cannot list resource "pods"', 'exceeded quota', ''])(
  'does not explain %j',
  (message) => {
    expect(quotaFailure(message)).toBeUndefined();
  },
);
