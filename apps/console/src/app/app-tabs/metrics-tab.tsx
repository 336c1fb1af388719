import { MetricsPanel } from '../../features/metrics/metrics-panel.tsx';
import type { AppTabProps } from './app-tab-props.ts';

/** What the app uses and serves. */
export function MetricsTab({ page: { app, history } }: AppTabProps) {
  return <MetricsPanel app={app} history={history} />;
}
