import type { DeployDraft } from './deploy-draft.ts';
import type { EnvRow } from './env-rows.ts';

export type EditableFields = Omit<DeployDraft, 'envVars'> & { envVars: Omit<EnvRow, 'id'>[] };

/** What the user would lose: two drafts that differ only in empty rows or row ids have equal fields. */
export function editableFields(draft: DeployDraft): EditableFields {
  const filled = draft.envVars.filter(({ key, value }) => key !== '' || value !== '');
  return { ...draft, envVars: filled.map(({ key, value }) => ({ key, value })) };
}
