import type { Release } from '@longshore/contract';
import { useConfig } from '../../client/console-environment.tsx';
import { shortRevision } from '../../lib/short-revision.ts';
import { MESSAGES } from './messages.ts';
import { type CodeHosts, commitUrl } from './model/source-links.ts';

/** The commit or digest of a release; a commit links to its page at the code host. */
export function RevisionCode({ release }: { release: Release }) {
  const hosts = useCodeHosts();
  const { revision, values } = release;
  if (revision === undefined || revision === '') return null;
  const url = values.source.enabled ? commitUrl(values.source.url, revision, hosts) : undefined;
  const code = (
    <code
      title={revision}
      className="rounded-sm border border-line bg-sunken px-1.5 font-mono text-xs leading-5"
    >
      {shortRevision(revision)}
    </code>
  );
  if (url === undefined) return code;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="rounded underline-offset-4 hover:underline"
    >
      <span className="sr-only">{MESSAGES.commit} </span>
      {code}
    </a>
  );
}

/** The URLs of the code hosts that the operator configured. */
export function useCodeHosts(): CodeHosts {
  const { integrations } = useConfig();
  return integrations === undefined
    ? {}
    : { github: integrations.github.url, gitlab: integrations.gitlab.url };
}
