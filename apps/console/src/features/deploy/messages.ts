/** Texts of spec §2, §5 and §8. */
export const MESSAGES = {
  deployApp: 'Deploy App',
  editApp: 'Edit App',
  steps: ['Choose where the code comes from', 'Pick a repository', 'Configure'],
  manual: 'Manual deployment',
  manualText: 'Type the address of a git repository or the name of a container image.',
  noIntegrations:
    'No account is connected. Integrations let you pick a repository instead of typing its address.',
  searchRepositories: 'Search repositories',
  repositories: 'Repositories',
  repositoriesLoading: 'Loading repositories',
  repositoriesFailed: {
    title: 'Failed to load repositories',
    text: 'Could not retrieve repositories',
  },
  searching: 'Searching…',
  noRepositories: 'This account has no repositories yet.',
  noMatch: (search: string) => `No repository matches “${search}”.`,
  moreRepositories: (shown: number, found: number) =>
    `The first ${shown} of ${found}. Search to find the others.`,
  lookUp: (name: string) => `Look for ${name}`,
  integrationGone:
    'This integration is not connected any more. Choose another, or type the address.',
  accessEnded: 'The access to this account has ended.',
  reconnect: 'Reconnect it on the Integrations page.',
  noRepository: 'No repository',
  cloneOver: 'Clone over',
  secretGone: 'An integration that was removed',
  secretGoneText: 'This integration is not connected any more. Choose another, or none.',
  sourceSecret: 'Access',
  noSourceSecret: 'None: the repository is public',
  pullSecret: 'Registry access',
  noPullSecret: 'None: the image is public',
  refsFailed: 'Branches and tags could not be loaded. Type the name of one.',
  repositoryMissing: 'Please select a repository',
  invalidForm: { title: 'Validation Error', text: 'Please fix the errors in the form' },
  deployFailed: 'Deployment failed',
  updateFailed: {
    title: 'Update failed',
    text: 'There was an error updating the application configuration',
  },
  changedMeanwhile:
    'Somebody changed this app while you were editing it, so nothing was saved. Close this dialog and open it again to start from the newest settings.',
  duplicateKey: 'This key is already used above',
  envHint: 'Paste a .env file into any key to fill the rows.',
} as const;
