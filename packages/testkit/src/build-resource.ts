import {
  type AppResource,
  type AppValues,
  CHART_VERSION,
  DEFAULT_CONTAINER_IMAGE,
  type ProjectResource,
  type ProjectValues,
  RESOURCE_TIER,
  type Resource,
  UPDATE_POLICY,
} from '@longshore/contract';
import { buildUser } from './build-user.ts';

const PROJECT_ID = '22222222-2222-4222-8222-222222222222';
const APP_ID = '33333333-3333-4333-8333-333333333333';

/** An app from git on port 3000, public at its automatic domain. */
export function buildAppValues(changes: Partial<AppValues> = {}): AppValues {
  return {
    name: 'hello',
    projectId: PROJECT_ID,
    resourceTier: RESOURCE_TIER,
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
    container: { image: DEFAULT_CONTAINER_IMAGE, updatePolicy: UPDATE_POLICY, pullSecretName: '' },
    source: {
      enabled: true,
      url: 'https://git.example.com/ada/hello.git',
      ref: 'main',
      secretName: '',
    },
    env: {},
    instances: 1,
    ...changes,
  };
}

type Changes<Values> = Partial<Omit<Resource, 'kind' | 'values'>> & { values?: Partial<Values> };

export function buildApp({ values, ...changes }: Changes<AppValues> = {}): AppResource {
  return { ...row(APP_ID), kind: 'app', values: buildAppValues(values), ...changes };
}

export function buildProject({ values, ...changes }: Changes<ProjectValues> = {}): ProjectResource {
  const userId = changes.userId ?? buildUser().id;
  return {
    ...row(PROJECT_ID),
    kind: 'project',
    values: { userId, name: 'Harbour', ...values },
    ...changes,
  };
}

function row(id: string): Omit<Resource, 'kind' | 'values'> {
  return {
    id,
    userId: buildUser().id,
    chartVersion: CHART_VERSION,
    status: 'synced',
    message: '',
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-01T00:00:00.000Z',
    deleted: false,
  };
}
