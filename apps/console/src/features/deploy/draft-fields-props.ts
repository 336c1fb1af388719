import type { IntegrationResource } from '@longshore/contract';
import type { DeployDraft } from './model/deploy-draft.ts';
import type { DraftProblems } from './model/draft-problems.ts';

/** Props of every group of fields in the configure step. */
export type DraftFieldsProps = {
  draft: DeployDraft;
  problems: DraftProblems;
  integrations: IntegrationResource[];
  onChange(change: Partial<DeployDraft>): void;
};
