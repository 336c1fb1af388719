import type { AppResource, Release } from '@longshore/contract';
import { useConfig } from '../../client/console-environment.tsx';
import { MESSAGES } from './messages.ts';
import { appValuesOf } from './model/app-values-of-draft.ts';
import type { DeployDraft } from './model/deploy-draft.ts';
import { draftProblems, hasProblems } from './model/draft-problems.ts';
import { type EditSummary, editSummary } from './model/edit-summary.ts';

/** What saving this draft would change and cause; of a draft that cannot be saved, only that. */
export function useEditSummary(
  app: AppResource,
  draft: DeployDraft,
  history: Release[],
): EditSummary {
  const config = useConfig();
  if (hasProblems(draftProblems(draft, config))) {
    return { changes: '', effect: MESSAGES.edit.unfinished };
  }
  const { baseDomain } = config.ingress;
  const context = { projectId: app.values.projectId, existing: app.values, baseDomain };
  return editSummary({ app, after: appValuesOf(draft, context), history, config });
}
