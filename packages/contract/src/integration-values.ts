/** Spec §3, Integration values. Stored as kind `credential`. */
export type Provider = 'github' | 'gitlab' | 'dockerhub';

export type IntegrationValues = {
  provider: Provider;
  type: 'ssh' | 'docker';
  account_name: string;
  account_id?: string;
  auth_type?: 'oauth' | 'credentials';
};
