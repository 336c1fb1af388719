/** Texts of spec §2, §5 and §8, Integrations. */
export const MESSAGES = {
  title: 'External Integrations',
  description: 'Connect to external services like GitLab and Docker Hub',
  empty: 'No integrations found',
  emptyText:
    'An integration lets you deploy from your own repositories and private images, without typing addresses.',
  add: 'Add New Integration',
  addFirst: 'Connect an account',
  dialogText: 'Deploy from private repositories and images',
  reconnectText: 'The access you gave has ended. Give it again; apps that use it stay as they are.',
  codeHost: 'Code hosting',
  registry: 'Container registry',
  remove: 'Remove integration',
  removeQuestion: (provider: string) =>
    `Are you sure you want to remove this ${provider} integration?`,
  removeText:
    'Access is given back to the provider where it can be, and what we kept of it is destroyed.',
  removeUsed: 'These apps deploy with it. They keep running, but cannot be deployed again:',
  removeFailed: { title: 'Error', text: 'Failed to delete integration' },
  reconnect: 'Reconnect',
  accessEnded: 'Access ended',
  bothMissing: 'Please enter both username and password',
  hostMissing: 'Please enter the host of the registry',
  urlMissing: 'Please enter the address of your server',
  tokenMissing: 'Please enter a token',
  authenticationFailed: 'Authentication failed. Please check your credentials.',
  leaveFailed: 'The provider could not be reached. Please try again.',
  connectFailed: 'Connection failed',
  /** By the reason in the address. */
  returned: {
    denied: 'You did not allow access, so nothing was connected.',
    expired: 'It took too long, or began in another browser. Please try again.',
    refused: 'The provider did not confirm the access. Please try again.',
    unreachable: 'The provider did not answer. Please try again later.',
    'not-configured': 'The operator has not set up this provider. Use an access token instead.',
  },
  connected: (name: string) => `${name} connected`,
} as const;
