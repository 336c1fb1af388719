import {
  AUTH_PATHS,
  CHART_VERSION,
  chartNameOf,
  DELETE_RESOURCE,
  INSERT_RESOURCE,
  type ResourceKind,
  ROLLBACK_APP,
  SERVICE_PATHS,
  type Session,
  UPDATE_RESOURCE,
} from '@longshore/contract';

export const PASSWORD = 'a harbour at night';

/** A signed-in user who changes resources over plain HTTP. */
export type BenchUser = {
  id: string;
  accessToken: string;
  refreshToken: string;
  insert(kind: ResourceKind, values: object): Promise<string>;
  update(id: string, values: object): Promise<void>;
  rollBack(id: string, release: number): Promise<void>;
  delete(id: string): Promise<void>;
  statusOf(id: string): Promise<string>;
  /** Some of the user's apps that are not synced. */
  appsNotSynced(): Promise<string[]>;
};

const STATUS = `query Status($id: uuid!) { resources(where: {id: {_eq: $id}}) { status message } }`;

const NOT_SYNCED = `query NotSynced($kind: String!) {
  resources(
    where: {chart_name: {_eq: $kind}, _or: [{status: {_is_null: true}}, {status: {_neq: "synced"}}]}, limit: 10
  ) { id status message }
}`;

export async function signUp(url: string, email: string): Promise<BenchUser> {
  return await openSession(url, AUTH_PATHS.signUpEmailPassword, email);
}

export async function signIn(url: string, email: string): Promise<BenchUser> {
  return await openSession(url, AUTH_PATHS.signInEmailPassword, email);
}

async function openSession(url: string, path: string, email: string): Promise<BenchUser> {
  const { session } = await post<{ session: Session }>(`${url}${SERVICE_PATHS.auth[0]}${path}`, {
    email,
    password: PASSWORD,
  });
  const { accessToken, refreshToken, user } = session;
  const graphql = async <T>(query: string, variables: object): Promise<T> => {
    const address = `${url}${SERVICE_PATHS.graphql[0]}`;
    const response = await post<{ data?: T }>(address, { query, variables }, accessToken);
    if (response.data === undefined) throw new Error(JSON.stringify(response));
    return response.data;
  };
  return {
    id: user.id,
    accessToken,
    refreshToken,
    async insert(kind, values) {
      const { insert_resources_one } = await graphql<{ insert_resources_one: { id: string } }>(
        INSERT_RESOURCE,
        { userId: user.id, chartName: chartNameOf(kind), chartVersion: CHART_VERSION, values },
      );
      return insert_resources_one.id;
    },
    update: async (id, values) => void (await graphql(UPDATE_RESOURCE, { id, values })),
    rollBack: async (id, release) => void (await graphql(ROLLBACK_APP, { id, release })),
    delete: async (id) => void (await graphql(DELETE_RESOURCE, { id })),
    async statusOf(id) {
      const { resources } = await graphql<{ resources: { status: string }[] }>(STATUS, { id });
      return resources[0]?.status ?? '';
    },
    async appsNotSynced() {
      type Found = { resources: { id: string; status: string | null; message: string }[] };
      const { resources } = await graphql<Found>(NOT_SYNCED, { kind: chartNameOf('app') });
      return resources.map(({ id, status, message }) => `${id}: ${status} ${message}`);
    },
  };
}

async function post<T>(address: string, body: object, accessToken?: string): Promise<T> {
  const authorization = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...authorization },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
