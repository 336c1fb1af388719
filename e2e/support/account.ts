import {
  type AppValues,
  AUTH_PATHS,
  chartNameOf,
  DELETE_RESOURCE,
  INSERT_RESOURCE,
  type ResourceKind,
  SERVICE_PATHS,
  type Session,
  type Sleep,
  UPDATE_RESOURCE,
} from '@longshore/contract';

const AUTH = SERVICE_PATHS.auth[0];
export const PASSWORD = 'correct horse battery';

export type Deployment = {
  name: string;
  /** The repository URL, unless it is deployed from an image. */
  url?: string;
  image?: string;
  ref?: string;
  env?: Record<string, string>;
  sleep?: Sleep;
  /** Overrides values, merged one level deep. */
  change?: object;
};

/** A user of the API of one Longshore. */
export type Account = {
  session: Session;
  /** Returns `data`, or throws the first error's message. */
  graphql<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
  /** Returns the project's id. */
  createProject(name: string): Promise<string>;
  /** Deploys into the given project or a new one. Returns the app's id. */
  deploy(deployment: Deployment, projectId?: string): Promise<string>;
  app(appId: string): Promise<{ status: string; message: string; values: AppValues }>;
  edit(appId: string, change: Partial<AppValues>): Promise<void>;
  hibernate(appId: string): Promise<void>;
  delete(appId: string): Promise<void>;
};

export async function signUp(url: string, email: string, password = PASSWORD): Promise<Account> {
  return await accountOf(url, AUTH_PATHS.signUpEmailPassword, { email, password });
}

export async function signIn(url: string, email: string, password = PASSWORD): Promise<Account> {
  return await accountOf(url, AUTH_PATHS.signInEmailPassword, { email, password });
}

async function accountOf(url: string, path: string, credentials: unknown): Promise<Account> {
  const { session } = await post<{ session: Session }>(`${url}${AUTH}${path}`, credentials);

  const graphql: Account['graphql'] = async (query, variables = {}) => {
    const { data, errors } = await post<{ data: never; errors?: { message: string }[] }>(
      `${url}${SERVICE_PATHS.graphql[0]}`,
      { query, variables },
      { authorization: `Bearer ${session.accessToken}` },
    );
    if (errors?.[0] !== undefined) throw new Error(errors[0].message);
    return data;
  };

  async function insert(kind: ResourceKind, values: unknown): Promise<string> {
    const { insert_resources_one: row } = await graphql<{ insert_resources_one: { id: string } }>(
      INSERT_RESOURCE,
      { userId: session.user.id, chartName: chartNameOf(kind), chartVersion: '0.0', values },
    );
    return row.id;
  }

  function createProject(name: string): Promise<string> {
    return insert('project', { userId: session.user.id, name });
  }

  const app: Account['app'] = async (appId) => {
    const query = 'query App($id: uuid!) { resources_by_pk(id: $id) { status message values } }';
    const { resources_by_pk: row } = await graphql<{
      resources_by_pk: Awaited<ReturnType<Account['app']>>;
    }>(query, { id: appId });
    return row;
  };

  async function edit(appId: string, change: Partial<AppValues>): Promise<void> {
    const { values } = await app(appId);
    await graphql(UPDATE_RESOURCE, { id: appId, values: { ...values, ...change } });
  }

  return {
    session,
    graphql,
    createProject,
    async deploy(deployment, projectIdOption) {
      const projectId = projectIdOption ?? (await createProject(`Of ${deployment.name}`));
      return await insert('app', valuesOf(deployment, projectId));
    },
    app,
    edit,
    hibernate: (appId) => edit(appId, { instances: 0 }),
    delete: (appId) => graphql(DELETE_RESOURCE, { id: appId }),
  };
}

function valuesOf(deployment: Deployment, projectId: string) {
  const { name, url = '', image = '', ref = 'main', env = {}, sleep, change = {} } = deployment;
  const values = {
    name,
    projectId,
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
    container: { image },
    source: { enabled: image === '', url, ref, secretName: '' },
    env,
    instances: 1,
    ...(sleep && { sleep }),
  };
  return { ...values, ...Object.fromEntries(Object.entries(change).map(mergePart)) };

  function mergePart([key, part]: [string, unknown]) {
    const whole = (values as Record<string, unknown>)[key];
    const isMerged = isRecord(whole) && isRecord(part) && key !== 'env';
    return [key, isMerged ? { ...whole, ...part } : part];
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function post<T>(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
