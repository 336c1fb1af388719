import { expect, it } from 'vitest';
import { OWNER } from '../../../test/engines/kubernetes/release-fixture.ts';
import { ensureAccess, roleBinding, subjectOf } from './access.ts';
import type { ApiRequest, KubernetesApi } from './kubernetes-api.ts';

const { signal } = new AbortController();

it.each([
  [
    'system:serviceaccount:apps:longshore',
    { kind: 'ServiceAccount', name: 'longshore', namespace: 'apps' },
  ],
  ['ada', { kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io' }],
])('binds the user %s as %o', (username, subject) => {
  expect(subjectOf(username)).toEqual(subject);
});

it.each(['app', 'build'] as const)('binds only the named role for %s', (role) => {
  const subject = subjectOf('system:serviceaccount:apps:longshore');
  expect(roleBinding({ namespace: 'longshore-p', role, subject }, OWNER)).toMatchObject({
    metadata: { name: 'longshore', namespace: 'longshore-p' },
    roleRef: { kind: 'ClusterRole', name: `longshore-${role}` },
    subjects: [subject],
  });
});

/** Allows to create pods after this number of reviews. */
function fakeApi(reviewsUntilAllowed: number) {
  const calls: string[] = [];
  let reviews = 0;
  const api = {
    async call<Result>(method: string, path: string, _request: ApiRequest) {
      const name = path.split('/').at(-1);
      calls.push(`${method} ${name}`);
      if (name === 'selfsubjectaccessreviews') reviews += 1;
      const allowed = reviews > reviewsUntilAllowed;
      return { status: { allowed, userInfo: { username: 'ada' } } } as Result;
    },
  } as KubernetesApi;
  return { api, calls };
}

it('creates no binding for who has the rights already', async () => {
  const { api, calls } = fakeApi(0);
  await ensureAccess('longshore-p', 'app', { api, owner: OWNER }, signal);
  expect(calls).toEqual(['POST selfsubjectaccessreviews']);
});

it('waits until a new binding has taken effect', async () => {
  const { api, calls } = fakeApi(2);
  await ensureAccess('longshore-p', 'app', { api, owner: OWNER }, signal);
  expect(calls).toEqual([
    'POST selfsubjectaccessreviews',
    'POST selfsubjectreviews',
    'PATCH longshore',
    'POST selfsubjectaccessreviews',
    'POST selfsubjectaccessreviews',
  ]);
});
