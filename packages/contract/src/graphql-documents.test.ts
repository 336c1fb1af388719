import { Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  APP_STATE_SUBSCRIPTION,
  CANCEL_BUILD,
  DELETE_RESOURCE,
  DELIVERIES_SUBSCRIPTION,
  INSERT_RESOURCE,
  LATEST_RELEASES_SUBSCRIPTION,
  REDEPLOY_APP,
  RELEASES_SUBSCRIPTION,
  RESOURCES_SUBSCRIPTION,
  RESTART_APP,
  RESUME_APP,
  ROLLBACK_APP,
  UPDATE_RESOURCE,
  UPDATE_UNCHANGED_RESOURCE,
} from './graphql-documents.ts';

describe.each([
  ['Resources', 'subscription', RESOURCES_SUBSCRIPTION, { userId: 'uuid!' }],
  [
    'InsertResource',
    'mutation',
    INSERT_RESOURCE,
    { userId: 'uuid!', chartName: 'String!', chartVersion: 'String!', values: 'jsonb!' },
  ],
  ['UpdateResource', 'mutation', UPDATE_RESOURCE, { id: 'uuid!', values: 'jsonb!' }],
  [
    'UpdateUnchangedResource',
    'mutation',
    UPDATE_UNCHANGED_RESOURCE,
    { id: 'uuid!', values: 'jsonb!', updatedAt: 'timestamptz!' },
  ],
  ['DeleteResource', 'mutation', DELETE_RESOURCE, { id: 'uuid!' }],
  ['Releases', 'subscription', RELEASES_SUBSCRIPTION, { appId: 'uuid!', limit: 'Int!' }],
  ['LatestReleases', 'subscription', LATEST_RELEASES_SUBSCRIPTION, { appIds: '[uuid!]!' }],
  ['Deliveries', 'subscription', DELIVERIES_SUBSCRIPTION, { appId: 'uuid!' }],
  ['AppState', 'subscription', APP_STATE_SUBSCRIPTION, { id: 'uuid!' }],
  ['RestartApp', 'mutation', RESTART_APP, { id: 'uuid!' }],
  ['RedeployApp', 'mutation', REDEPLOY_APP, { id: 'uuid!' }],
  ['RollbackApp', 'mutation', ROLLBACK_APP, { id: 'uuid!', release: 'Int!' }],
  ['ResumeApp', 'mutation', RESUME_APP, { id: 'uuid!' }],
  ['CancelBuild', 'mutation', CANCEL_BUILD, { id: 'uuid!', release: 'Int!' }],
])('the document %s', (name, kind, text, variables) => {
  it(`is one ${kind} of that name`, () => {
    const operation = operationOf(text);
    expect(operation.name?.value).toBe(name);
    expect(operation.operation).toBe(kind);
  });

  it('declares the variables of the specification, and uses each of them', () => {
    expect(declaredVariables(text)).toEqual(variables);
    expect(usedVariables(text).sort()).toEqual(Object.keys(variables).sort());
  });
});

describe('the documents', () => {
  it('subscribe to all fields of the own resources that are not deleted', () => {
    expect(print(operationOf(RESOURCES_SUBSCRIPTION).selectionSet)).toBe(`{
  resources(
    where: {user_id: {_eq: $userId}, deleted: {_eq: false}}
    order_by: {created_at: asc}
  ) {
    id
    user_id
    chart_name
    chart_version
    values
    status
    message
    created_at
    updated_at
    deleted
  }
}`);
  });

  it('insert owner, kind, version and values, and return the id', () => {
    expect(print(operationOf(INSERT_RESOURCE).selectionSet)).toBe(`{
  insert_resources_one(
    object: {user_id: $userId, chart_name: $chartName, chart_version: $chartVersion, values: $values}
  ) {
    id
  }
}`);
  });

  it('update the values by id', () => {
    expect(print(operationOf(UPDATE_RESOURCE).selectionSet)).toBe(`{
  update_resources_by_pk(pk_columns: {id: $id}, _set: {values: $values}) {
    id
  }
}`);
  });

  it('delete by setting deleted to true', () => {
    expect(print(operationOf(DELETE_RESOURCE).selectionSet)).toBe(`{
  update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: true}) {
    id
  }
}`);
  });
});

function operationOf(text: string): OperationDefinitionNode {
  const [operation, ...others] = parse(text).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('No operation');
  expect(others).toEqual([]);
  return operation;
}

function declaredVariables(text: string): Record<string, string> {
  const declared = operationOf(text).variableDefinitions ?? [];
  return Object.fromEntries(
    declared.map(({ variable, type }) => [variable.name.value, print(type)]),
  );
}

function usedVariables(text: string): string[] {
  const used = new Set<string>();
  visit(operationOf(text).selectionSet, {
    enter: (node) => {
      if (node.kind === Kind.VARIABLE) used.add(node.name.value);
    },
  });
  return [...used];
}
