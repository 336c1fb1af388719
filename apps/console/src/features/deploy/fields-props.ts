import type { IntegrationResource } from '@longshore/contract';
import type { DeployDraft } from './model/deploy-draft.ts';
import type { DraftProblems } from './model/draft-problems.ts';

/** What every part of the configure step is given. */
export type FieldsProps = {
  draft: DeployDraft;
  problems: DraftProblems;
  integrations: IntegrationResource[];
  onChange(change: Partial<DeployDraft>): void;
};
