import type { ConnectedAccount } from '@longshore/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import { Secret } from '../../secrets/secret.ts';
import { callerOf } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { DOCKER_HUB, parseRegistryHost } from '../registries/registry-host.ts';
import { REGISTRY_PASSWORD } from '../registries/registry-password.ts';
import { signInToRegistry } from '../registries/sign-in-to-registry.ts';
import { keepIntegration } from './keep-integration.ts';

const Login = z.object({
  username: z.string().trim().max(200).default(''),
  password: z.string().max(10_000).default(''),
});
const Body = Login.extend({ host: z.string().max(300).default('') });

/** No registry knows such names, and Basic authentication cannot carry them. `Cs`: half of a character. */
const UNUSABLE = /[:\p{Cc}\p{Cs}]/u;

/** POST /auth/dockerhub. Spec §7. */
export async function connectDockerHub(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await callerOf(context, deps.session);
  const login = await jsonBody(context, Login);
  return context.json(await connect(context, deps, { ...login, ownerId, host: DOCKER_HUB }));
}

/** POST /auth/registry: any registry, by its host. */
export async function connectRegistry(context: Context, deps: ConnectDeps): Promise<Response> {
  const ownerId = await callerOf(context, deps.session);
  const { host: given, ...login } = await jsonBody(context, Body);
  const host = parseRegistryHost(given);
  if (host === undefined) {
    const message = 'Please enter the host of the registry, such as registry.example.com:5000';
    throw new Problem(400, 'invalid-host', message);
  }
  return context.json(await connect(context, deps, { ...login, ownerId, host }));
}

type Wish = { ownerId: string; host: string; username: string; password: string };

async function connect(
  context: Context,
  deps: ConnectDeps,
  { ownerId, host, username, password: given }: Wish,
): Promise<ConnectedAccount> {
  // Spec §5, Registry form.
  if (username === '' || given === '') {
    throw new Problem(400, 'invalid-request', 'Please enter both username and password');
  }
  if (UNUSABLE.test(username)) {
    throw new Problem(400, 'invalid-request', 'The username holds characters that none has');
  }
  const password = new Secret(given);
  await signInToRegistry({ host, username, password }, deps, context.req.raw.signal);
  const provider = host === DOCKER_HUB ? 'dockerhub' : 'registry';
  return await keepIntegration(context, deps, {
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
