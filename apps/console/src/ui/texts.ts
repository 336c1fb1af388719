/**
 * Texts that several features share, and the texts of the components in this folder. Separate constants, so that the
 * bundler leaves out those that the sign-in page does not show.
 */
export const BACK = 'Back';
export const BACK_TO_PROJECTS = 'Back to projects';
export const CANCEL = 'Cancel';
export const CLOSE = 'Close';
export const COPIED = 'Copied';
export const DISCARD = 'Discard';
export const DISCARD_QUESTION = 'Discard changes?';
export const DISMISS = 'Dismiss';
export const KEEP_EDITING = 'Keep editing';
export const LOADING = 'Loading';
export const SAVE_CHANGES = 'Save changes';
export const TRY_AGAIN = 'Try again';
export const UNSAVED_CHANGES = 'Your changes on this page are not saved.';

export const PAGE_FAILED = 'This page failed to load';
export const PAGE_FAILED_TEXT = 'The server may be offline or was just updated. No data was lost.';
export const RESOURCES_FAILED = 'Could not load your resources';

export const PASSWORD_STRENGTHS = { weak: 'Weak', fair: 'Fair', strong: 'Strong' } as const;

export function retrying(problem: string): string {
  return `${problem.replace(/\.$/, '')}. Retrying…`;
}
