/** Texts of spec §2, §5 and §8. */
export const MESSAGES = {
  deployApp: 'Deploy App',
  editApp: 'Edit App',
  steps: ['Choose where the code comes from', 'Pick a repository', 'Configure'],
  manual: 'Manual deployment',
  manualText: 'Type the address of a git repository or the name of a container image.',
  noIntegrations:
    'No account is connected. Integrations let you pick a repository instead of typing its address.',
  repositoriesLater:
    'Repositories of a connected account cannot be listed yet. Type the address instead.',
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
