/** Paths of the integrations service, relative to it. Spec §7; the others are our own. */
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
} as const;

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A path with its names filled in. Each is encoded whole, so that the slashes of a name survive. */
export function connectPath<Name extends keyof typeof CONNECT_PATHS>(
  name: Name,
  names: Record<NamesIn<(typeof CONNECT_PATHS)[Name]>, string>,
): string {
  const given: Record<string, string> = names;
  return CONNECT_PATHS[name].replace(/:(\w+)/g, (_, key) => encodeURIComponent(given[key] ?? ''));
}
