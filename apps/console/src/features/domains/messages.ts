export const MESSAGES = {
  title: 'Domains',
  attention: (count: number) =>
    count === 1 ? '1 needs your attention' : `${count} need your attention`,
  notPublic: {
    title: 'This app is not public',
    text: 'Turn on public access in Settings to get a generated address and to add your own domains.',
  },
  generated: { pill: 'Generated', text: 'Always available.' },
  loadFailed: 'Could not load the domains.',
  add: {
    label: 'Add a domain',
    placeholder: 'shop.example.com',
    hint: 'Saved at once. The app is not restarted or rebuilt.',
    submit: 'Add domain',
    duplicate: 'The app already has this domain',
    failed: 'Could not add the domain',
  },
  removal: {
    label: (domain: string) => `Remove ${domain}`,
    title: (domain: string) => `Remove ${domain}?`,
    text: 'The app is no longer served at this domain. It is not restarted or rebuilt.',
    dns: 'Your DNS records are not changed. Delete them at your DNS provider.',
    confirm: 'Remove domain',
    failed: 'Could not remove the domain',
  },
  conflict: 'The application was changed in the meantime. Review it and try again.',
  copyUrl: (domain: string) => `Copy URL of ${domain}`,
  checkFailed: 'Could not check DNS',
  checkAgain: 'Check again',
  checkAgainLabel: (domain: string) => `Check ${domain} again`,
  checked: 'Checked',
  chips: {
    checking: 'Checking DNS…',
    proved: 'Verified',
    elsewhere: 'Verified, wrong DNS record',
    lapsing: 'Record missing',
    temporary: 'Not verified',
    unproved: 'Not verified yet',
    expired: 'Not verified',
    taken: 'Taken',
    duplicate: 'Used by another app',
    reserved: 'Not allowed',
  },
  /** What to create. */
  create: {
    one: 'Create the CNAME record or the A record.',
    several:
      'Create the CNAME record. If your DNS provider does not allow one for this name, create the A record and the TXT record.',
  },
  states: {
    proved: {
      txt: 'Verified by the TXT record.',
      cname: 'Verified by the CNAME record.',
      a: 'Verified by the A record.',
    },
    elsewhere: 'The domain does not point to this server. Create the CNAME record or the A record.',
    lapsing: (date: string) =>
      `The record that verified this domain is missing. The app is served at the domain until ${date}. Create the record again.`,
    temporary: (date: string, create: string) =>
      `Custom domains have to be verified now. The app is served at this domain without verification until ${date}. ${create}`,
    unproved: (date: string, create: string) =>
      `Not served yet. ${create} DNS is checked automatically until ${date}.`,
    expired: (create: string) =>
      `Not verified within 7 days, so it is no longer checked automatically. ${create} Then check again.`,
    taken:
      'Another account has verified this domain. If the domain is yours, create the TXT record to take it over. If DNS has a TXT record of another account, remove it.',
    duplicate: (app: string) =>
      `Your app ${app} is served at this domain. Remove the domain from one of the two apps.`,
    reserved: 'This domain belongs to the Longshore installation. Remove it.',
  },
  certificate: {
    chips: {
      valid: 'Certificate valid',
      notRenewed: 'Certificate not renewed',
      failed: 'Certificate failed',
      none: 'No certificate yet',
    },
    valid: (until: string, renewal: string) =>
      `Certificate: valid until ${until}, renews on ${renewal}.`,
    own: (until: string) => `Certificate: the one of this server, valid until ${until}.`,
    notRenewed: (until: string) => `Certificate: valid until ${until}, but the renewal failed.`,
    pending: 'Certificate: issued automatically, usually within a minute.',
    failed: 'Certificate: not issued. The domain is served over HTTP only.',
    limited: (time: string) =>
      `Certificate: too many were ordered. This one is ordered on ${time} at the earliest.`,
    tooMany: 'Certificate: none, because your account has more than 100 domains.',
    nextTry: (time: string) => `Next try: ${time}.`,
    generatedFix: 'The operator of this server has to fix this.',
    retry: 'Try again',
    retryLabel: (domain: string) => `Try again to get the certificate of ${domain}`,
    retryFailed: 'Could not try again',
    failures: {
      'no-address': {
        problem: (domain: string, _detail: string) => `No DNS record found for ${domain}.`,
        fix: 'Create the CNAME record or the A record at your DNS provider.',
      },
      'no-dns-answer': {
        problem: (domain: string, _detail: string) =>
          `The name servers of ${domain} do not answer.`,
        fix: 'Check the name servers at your DNS provider.',
      },
      'private-address': {
        problem: (domain: string, _detail: string) =>
          `${domain} has an address of a private network.`,
        fix: 'Change the A record to the public address of this server.',
      },
      elsewhere: {
        problem: (domain: string, detail: string) =>
          `Another server answers at ${domain}: ${detail}.`,
        fix: 'Point all A and AAAA records to this server. A CDN in front of it must pass on /.well-known/acme-challenge/ without a redirect.',
      },
      unreachable: {
        problem: (domain: string, detail: string) =>
          `Nothing answers at port 80 of ${domain}: ${detail}.`,
        fix: 'Open port 80 in the firewall, and forward it to this server.',
      },
      'rate-limited': {
        problem: (_domain: string, detail: string) =>
          `The certificate authority allows no further certificate now: ${detail}`,
        fix: 'It is ordered again automatically.',
      },
      'authority-unavailable': {
        problem: (_domain: string, detail: string) =>
          `The certificate authority is not available: ${detail}`,
        fix: 'It is ordered again automatically.',
      },
      caa: {
        problem: (domain: string, detail: string) =>
          `A CAA record of ${domain} forbids the certificate authority: ${detail}`,
        fix: 'Add a CAA record that allows it, or remove the existing one.',
      },
      account: {
        problem: (_domain: string, detail: string) =>
          `The certificate authority refused the account of this server: ${detail}`,
        fix: 'The operator has to check the settings LONGSHORE_ACME_*.',
      },
      refused: {
        problem: (_domain: string, detail: string) =>
          `The certificate authority refused: ${detail}`,
        fix: 'Fix the reason, then try again.',
      },
    },
  },
  records: {
    type: 'Type',
    name: 'Name',
    copyName: (type: string, domain: string) => `Copy name of the ${type} record of ${domain}`,
    value: 'Value',
    copyValue: (type: string, domain: string) => `Copy value of the ${type} record of ${domain}`,
    ttl: 'TTL',
    auto: 'Auto',
    found: 'Found now',
    missing: 'No record',
    unanswered: 'No answer',
    unknown: 'Not checked yet',
  },
} as const;
