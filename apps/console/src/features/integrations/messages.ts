/** Texts of spec §2, Integrations page. */
export const MESSAGES = {
  title: 'External Integrations',
  description: 'Connect to external services like GitLab and Docker Hub',
  empty: 'No integrations found',
  emptyText:
    'An integration lets you deploy from your repositories and private images. Until then, type an address by hand.',
  add: 'Add New Integration',
  unavailable: 'Connecting accounts is not available in this version yet',
} as const;
