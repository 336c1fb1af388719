/** Paths of the integrations service, relative to it. Not beside the others, because the sign-in page does not need them. */
export const CONNECT_PATHS = {
  connectDockerHub: '/auth/dockerhub',
  connectRegistry: '/auth/registry',
  connectToken: '/auth/token',
  oauthTickets: '/oauth/tickets',
  oauthLogin: '/oauth/:provider/login',
  oauthCallback: '/oauth/public/:provider/callback',
  integration: '/integrations/:id',
  repositories: '/integrations/:id/repositories',
  validateRepository: '/integrations/:id/validate-repository',
  branches: '/integrations/:id/repositories/:repo/branches',
  refs: '/integrations/:id/repositories/:repo/branches/:branch/refs',
  tags: '/integrations/:id/repositories/:repo/tags',
  hook: '/hooks/:hookId',
  webhook: '/apps/:appId/webhook',
  deliveries: '/apps/:appId/deliveries',
  replayDelivery: '/apps/:appId/deliveries/:id/replay',
  deployHook: '/apps/:appId/deploy-hook',
  /** With its secret as the parameter `key`. Paths are logged, parameters are not. */
  callDeployHook: '/deploy-hooks/:appId',
} as const;

type ParametersIn<Path extends string> = Path extends `${string}:${infer Parameter}/${infer Rest}`
  ? Parameter | ParametersIn<`/${Rest}`>
  : Path extends `${string}:${infer Parameter}`
    ? Parameter
    : never;

/** A path with its parameters filled in. Each is one path segment: slashes in a value are encoded. */
export function connectPath<Name extends keyof typeof CONNECT_PATHS>(
  name: Name,
  parameters: Record<ParametersIn<(typeof CONNECT_PATHS)[Name]>, string>,
): string {
  const values: Record<string, string> = parameters;
  return CONNECT_PATHS[name].replace(/:(\w+)/g, (_, key) => encodeURIComponent(values[key] ?? ''));
}
