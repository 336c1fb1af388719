import { isUploadUrl } from '@longshore/contract';
import { BuildCacheCard } from '../../features/apps/build-cache-card.tsx';
import { DangerZone } from '../../features/apps/danger-zone.tsx';
import { SettingsForm } from '../../features/deploy/settings-form.tsx';
import { UploadCard } from '../../features/deploy/upload-card.tsx';
import { TrafficCard } from '../../features/traffic/traffic-card.tsx';
import { DeployHookCard } from '../../features/webhooks/deploy-hook-card.tsx';
import { WebhookCard } from '../../features/webhooks/webhook-card.tsx';
import type { AppTabProps } from './app-tab-props.ts';

export function SettingsTab({ page, webhook, domains, integrations }: AppTabProps) {
  const { app, history, view, markUpdating } = page;
  const { source, publicAccess } = app.values;
  return (
    <SettingsForm
      app={app}
      history={history}
      secureHosts={domains.secureHosts}
      integrations={integrations}
      disabledReason={view.edit.reason}
      afterSource={
        isUploadUrl(source.url) ? (
          <UploadCard app={app} onSent={markUpdating} />
        ) : (
          source.enabled && <WebhookCard app={app} pin={history[0]?.appPin} webhook={webhook} />
        )
      }
      afterPushes={<DeployHookCard appId={app.id} />}
      atEnd={
        <>
          {publicAccess.enabled && <TrafficCard app={app} />}
          {source.enabled && <BuildCacheCard appId={app.id} />}
          <DangerZone page={page} />
        </>
      }
      onSent={markUpdating}
    />
  );
}
