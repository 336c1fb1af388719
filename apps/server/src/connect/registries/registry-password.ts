/** What the password of a registry is called among the secrets of its integration. */
export const REGISTRY_PASSWORD = 'registry-password';
