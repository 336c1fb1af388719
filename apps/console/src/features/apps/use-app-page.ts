import type { AppResource, Release } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { appView } from './model/app-view.ts';
import { servingView } from './model/serving-view.ts';
import { useAppActions } from './use-app-actions.ts';
import { useObservedState } from './use-observed-state.ts';

export type AppPageState = ReturnType<typeof useAppPage>;

type AppPageOptions = {
  /** Newest first. */
  history: Release[];
  /** Hosts with a certificate. */
  secureHosts: readonly string[];
  /** An edit is being saved. */
  isSaving: boolean;
};

/** What all tabs of an app share: what is shown, what is pending, and the actions. */
export function useAppPage(app: AppResource, { history, secureHosts, isSaving }: AppPageOptions) {
  const ingress = { ...useConfig().ingress, secureHosts };
  const { pending, setInstances, remove, markUpdating } = useAppActions(app, isSaving);
  const observed = useObservedState(app.id);
  const [isDeleting, setDeleting] = useState(false);
  const view = appView(app, pending, ingress);
  return {
    app,
    history,
    view,
    observed,
    serving: servingView(app, observed.serving, history, ingress),
    setInstances: (instances: 0 | 1) => void setInstances(instances),
    remove,
    /** For an action that a tab has sent. */
    markUpdating,
    isDeleting,
    setDeleting,
  };
}
