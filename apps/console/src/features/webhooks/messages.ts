export const MESSAGES = {
  title: 'Push to deploy',
  switch: 'Deploy on push',
  off: 'Pushes are not deployed automatically.',
  registered: (ref: string) => `Webhook registered. Every push to ${ref} is deployed.`,
  manual: (ref: string) =>
    `Every push to ${ref} is deployed once you add this webhook to the repository:`,
  notRegistered: 'Could not register the webhook.',
  manualHint:
    'Add it in the webhook settings of the repository, for push events, with content type application/json.',
  url: 'URL',
  copyUrl: 'Copy URL',
  secret: 'Secret',
  copySecret: 'Copy secret',
  show: 'Show secret',
  hide: 'Hide secret',
  deliveries: 'Deliveries',
  outcomes: { deployed: 'Deployed', ignored: 'Ignored', refused: 'Rejected' },
  none: 'No deliveries yet.',
  replay: 'Replay',
  replayOf: (delivery: string) => `Replay ${delivery}`,
  isReplay: 'replay',
  replayFailed: 'Replay failed',
  switchFailed: 'Could not change push to deploy',
  failed: (title: string, message: string) =>
    message === '' ? `${title}.` : `${title}: ${message}`,
  loadFailed: 'Could not load push to deploy',
  deliveriesFailed: 'Could not load deliveries',
} as const;
