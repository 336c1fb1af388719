import { type AppResource, isUploadUrl, type Webhook } from '@longshore/contract';
import { useCallback } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { type QueryState, useQuery } from '../../client/use-query.ts';

const OFF: Webhook = { state: 'off', url: '', secret: '' };

export type WebhookQuery = ReturnType<typeof useWebhook>;

/** The webhook of an app. Apps from images and uploads have none. */
export function useWebhook(app: AppResource) {
  const { connect } = useServices();
  const { enabled, url } = app.values.source;
  const isGit = enabled && !isUploadUrl(url);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source has another webhook
  const load = useCallback(
    async (signal: AbortSignal) =>
      isGit ? await connect.webhook(app.id, { signal }) : { ok: true as const, data: OFF },
    [connect, app.id, isGit, app.updatedAt],
  );
  const query = useQuery(load);
  return { ...query, isOn: isOn(query.state) };
}

/** Undefined while it is unknown. */
function isOn(state: QueryState<Webhook>): boolean | undefined {
  if (state.kind === 'loading') return undefined;
  return state.kind === 'ready' && state.data.state !== 'off';
}
