/** Packages that are not part of the bundled server: loaded on first use, or with a native part that is found by its path. */
export const EXTERNAL_PACKAGES = [
  '@node-rs/argon2',
  '@simplewebauthn/server',
  'nodemailer',
  'oauth4webapi',
  'qrcode',
];
