import type { IsolationStatus, Session } from '@longshore/contract';
import { expect, it, onTestFinished } from 'vitest';
import { bearer, startBackend, stopWithoutErrors } from '../../test/backend.ts';
import type { DeployPolicy } from '../apps/deploy-permission.ts';

const MISSING = ['bwrap is missing: install the package bubblewrap.'];
const POLICY: Partial<DeployPolicy> = {
  isolation: async () => ({
    kind: 'not-isolated',
    missing: MISSING,
    packages: ['bubblewrap', 'mount'],
  }),
};
const ISOLATED = { missing: [], whoMayDeploy: 'everybody', mayDeploy: true, installCommand: null };

async function start(deployPolicy: Partial<DeployPolicy>) {
  const backend = await startBackend({ deployPolicy });
  onTestFinished(() => stopWithoutErrors(backend));
  const [operator, other] = [await backend.signUp(), await backend.signUp()];
  async function statusFor(session: Session): Promise<IsolationStatus> {
    const { body } = await backend.request<IsolationStatus>('/v1/isolation', {
      headers: bearer(session),
    });
    return body;
  }
  return { backend, operator: await statusFor(operator), other: await statusFor(other) };
}

it('lets everybody deploy where apps are isolated', async () => {
  const { operator, other } = await start({});
  expect(operator).toEqual({ ...ISOLATED, isOperator: true });
  expect(other).toEqual({ ...ISOLATED, isOperator: false });
});

it('shows the first account how to install what is missing, and others that they cannot deploy', async () => {
  const { operator, other } = await start(POLICY);
  const whoMayDeploy = 'operators';
  expect(operator).toEqual({
    missing: MISSING,
    whoMayDeploy,
    mayDeploy: true,
    isOperator: true,
    installCommand: 'apt-get install bubblewrap mount',
  });
  expect(other).toEqual({
    missing: MISSING,
    whoMayDeploy,
    mayDeploy: false,
    isOperator: false,
    installCommand: null,
  });
});

it('says what is missing also where everybody is trusted', async () => {
  const { other } = await start({ ...POLICY, trustEverybody: true });
  expect(other).toMatchObject({ missing: MISSING, whoMayDeploy: 'everybody', mayDeploy: true });
});

it('needs a session', async () => {
  const { backend } = await start({});
  expect((await backend.request('/v1/isolation')).status).toBe(401);
});
