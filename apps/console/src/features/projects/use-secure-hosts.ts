import type { RequestResult } from '@longshore/client';
import type { AppResource } from '@longshore/contract';
import { useCallback } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useServices } from '../../client/session-context.tsx';
import { useQuery } from '../../client/use-query.ts';

const NONE: string[] = [];

/** The hosts of a project's apps that have a certificate. Loaded again when the last edit of its apps changes. */
export function useSecureHosts(projectId: string, apps: AppResource[]): string[] {
  const { domains } = useServices();
  const isOn = useConfig().ingress.httpsPort !== undefined;
  const editedAt = apps
    .map(({ updatedAt }) => updatedAt)
    .sort()
    .at(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit may change the domains
  const load = useCallback(
    async (signal: AbortSignal): Promise<RequestResult<string[]>> =>
      (isOn && (await domains?.secureHosts(projectId, { signal }))) || { ok: true, data: NONE },
    [domains, isOn, projectId, editedAt],
  );
  const { state } = useQuery(load);
  return state.kind === 'ready' ? state.data : NONE;
}
