import {
  APP_NAME_MAX_LENGTH,
  type Branch,
  type IntegrationResource,
  type IntegrationValues,
  type Repository,
  type Tag,
} from '@longshore/contract';
import type { Choice } from '../../../ui/matching-choices.ts';
import { MESSAGES } from '../messages.ts';
import type { DeployDraft } from './deploy-draft.ts';

export type ConnectedRepository = { integrationId: string; repository: string };

/** The repository of a draft, if the selected account can read it. */
export function connectedRepository(
  { isManualMode, sourceSecretName, selectedRepository, sourceUrl }: DeployDraft,
  integrations: IntegrationResource[],
): ConnectedRepository | undefined {
  const account = integrations.find(({ id }) => id === sourceSecretName);
  if (account === undefined) return undefined;
  const { host, provider } = account.values;
  const repository = isManualMode
    ? repositoryInUrl(sourceUrl, host ?? `${provider}.com`)
    : selectedRepository;
  return repository === undefined ? undefined : { integrationId: account.id, repository };
}

/** `user@host:path`, and `scheme://user@host:port/path`. */
const URL_FORMS = [
  /^[^@/\s]+@([^:/\s]+):(?!\/\/)(.+)$/,
  /^(?:https?|ssh):\/\/(?:[^@/\s]*@)?([^:/\s]+)(?::\d+)?\/(.+)$/,
];

/** Full name of the repository in a source URL; undefined for URLs of other hosts. */
export function repositoryInUrl(url: string, host: string): string | undefined {
  const [, hostname, path] = URL_FORMS.map((form) => form.exec(url.trim())).find(Boolean) ?? [];
  if (hostname?.toLowerCase() !== host.split(':')[0]?.toLowerCase()) return undefined;
  return path?.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '') || undefined;
}

type Host = Pick<IntegrationValues, 'provider' | 'host'>;

/**
 * git@host:full_name.git for gitlab and github (spec-map 9.3). Servers with another ssh port send a URL of the form
 * ssh://host:port/path, which is used unchanged.
 */
export function sshCloneUrl({ provider, host }: Host, { full_name, sshUrl }: Repository): string {
  const hasSpecifiedForm = provider === 'gitlab' || provider === 'github';
  if (sshUrl.startsWith('ssh://') || (!hasSpecifiedForm && sshUrl !== '')) return sshUrl;
  const [hostname] = (host ?? `${provider}.com`).split(':');
  return `git@${hostname}:${full_name}.git`;
}

/** The last part of a repository's name, converted to a valid app name; empty when nothing is left. */
export function suggestedAppName(repository: string): string {
  const last = repository.slice(repository.lastIndexOf('/') + 1);
  const hyphenated = last.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return hyphenated
    .slice(0, APP_NAME_MAX_LENGTH + 1)
    .replace(/^-+|-+$/g, '')
    .slice(0, APP_NAME_MAX_LENGTH);
}

/** The default branch, the other branches, the tags. */
export function refChoices(branches: Branch[], tags: Tag[]): Choice[] {
  const defaults = branches.filter((branch) => branch.isDefault);
  const others = branches.filter((branch) => !branch.isDefault);
  return [
    ...defaults.map(({ name }) => ({ value: name, note: MESSAGES.refs.isDefault })),
    ...others.map(({ name }) => ({ value: name, note: MESSAGES.refs.branch })),
    ...tags.map(({ name }) => ({ value: name, note: MESSAGES.refs.tag })),
  ];
}
