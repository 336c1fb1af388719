import type { ConnectedAccount } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { DOCKER_HUB, parseRegistryHost } from '../../build/registry-host.ts';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { Secret } from '../../secrets/secret.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { signInToRegistry } from '../registries/sign-in-to-registry.ts';
import { REGISTRY_PASSWORD } from '../sealed-secrets.ts';
import { saveIntegration } from './save-integration.ts';

const Login = z.object({
  username: z.string().trim().max(200).default(''),
  password: z.string().max(10_000).default(''),
});
const Body = Login.extend({ host: z.string().max(300).default('') });

/** Characters that Basic authentication cannot transport. `Cs`: lone surrogates. */
const INVALID_IN_USERNAME = /[:\p{Cc}\p{Cs}]/u;

/** POST /auth/dockerhub */
export async function connectDockerHub(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await requireCaller(context, deps.session);
  const login = await jsonBody(context, Login);
  return context.json(await connect(context, deps, { ...login, ownerId, host: DOCKER_HUB }));
}

/** POST /auth/registry: any other registry, by its host. */
export async function connectRegistry(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await requireCaller(context, deps.session);
  const { host: hostInput, ...login } = await jsonBody(context, Body);
  const host = parseRegistryHost(hostInput);
  if (host === undefined) {
    const message = 'Please enter the host of the registry, such as registry.example.com:5000';
    throw new Problem(400, 'invalid-host', message);
  }
  return context.json(await connect(context, deps, { ...login, ownerId, host }));
}

type RegistryAccount = { ownerId: string; host: string; username: string; password: string };

async function connect(
  context: Context,
  deps: ConnectDeps,
  { ownerId, host, username, password: plainPassword }: RegistryAccount,
): Promise<ConnectedAccount> {
  if (username === '' || plainPassword === '') {
    throw new Problem(400, 'invalid-request', 'Please enter both username and password');
  }
  if (INVALID_IN_USERNAME.test(username)) {
    throw new Problem(400, 'invalid-request', 'The username contains invalid characters');
  }
  const password = new Secret(plainPassword);
  await signInToRegistry({ host, username, password }, deps, context.req.raw.signal);
  const provider = host === DOCKER_HUB ? 'dockerhub' : 'registry';
  return await saveIntegration(context, deps, {
    ownerId,
    values: {
      provider,
      type: 'docker',
      auth_type: 'credentials',
      host,
      account_name: username,
      account_id: username,
    },
    secret: { name: REGISTRY_PASSWORD, secret: password },
  });
}
