import { type AppValues, isUploadUrl } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** What goes with an app, and what stays: the code is ours only if it was uploaded. */
export function deletionText({
  source,
  publicAccess,
}: Pick<AppValues, 'source' | 'publicAccess'>): string {
  const { text, deleted, repository } = MESSAGES.deletion;
  const isUpload = source.enabled && isUploadUrl(source.url);
  const names = [
    ...(isUpload ? [deleted.upload] : []),
    deleted.builds,
    deleted.logs,
    ...(publicAccess.enabled ? [deleted.address] : []),
  ];
  const isGit = source.enabled && !isUpload;
  return [text(LIST.format(names)), ...(isGit ? [repository] : [])].join(' ');
}
