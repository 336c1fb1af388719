/** GraphQL documents of the resource operations (spec-map 7.4). */
const RESOURCE_FIELDS =
  'id user_id chart_name chart_version values status message created_at updated_at deleted';

export const RESOURCES_SUBSCRIPTION = `subscription Resources($userId: uuid!) {
  resources(where: {user_id: {_eq: $userId}, deleted: {_eq: false}}, order_by: {created_at: asc}) {
    ${RESOURCE_FIELDS}
  }
}`;

export const INSERT_RESOURCE = `mutation InsertResource(
  $userId: uuid!, $chartName: String!, $chartVersion: String!, $values: jsonb!
) {
  insert_resources_one(
    object: {user_id: $userId, chart_name: $chartName, chart_version: $chartVersion, values: $values}
  ) { id }
}`;

export const UPDATE_RESOURCE = `mutation UpdateResource($id: uuid!, $values: jsonb!) {
  update_resources_by_pk(pk_columns: {id: $id}, _set: {values: $values}) { id }
}`;

/** Changes no row when the resource was edited after `updatedAt`. Not in the specification. */
export const UPDATE_UNCHANGED_RESOURCE = `mutation UpdateUnchangedResource(
  $id: uuid!, $values: jsonb!, $updatedAt: timestamptz!
) {
  update_resources(
    where: {id: {_eq: $id}, updated_at: {_eq: $updatedAt}}, _set: {values: $values}
  ) { returning { id } }
}`;

export const DELETE_RESOURCE = `mutation DeleteResource($id: uuid!) {
  update_resources_by_pk(pk_columns: {id: $id}, _set: {deleted: true}) { id }
}`;

/** The newest releases of an app. Not in the specification. */
export const RELEASES_SUBSCRIPTION = `subscription Releases($appId: uuid!, $limit: Int!) {
  releases(where: {app_id: {_eq: $appId}}, order_by: {number: desc}, limit: $limit) {
    number made_of env_marks revision from_release build_inputs cause pin outcome message evidence phases
    fixes detected started_at ended_at
    app { pin }
  }
}`;

/** The newest release of each of these apps, and which one serves. Not in the specification. */
export const LATEST_RELEASES_SUBSCRIPTION = `subscription LatestReleases($appIds: [uuid!]!) {
  releases(
    where: {app_id: {_in: $appIds}}, distinct_on: [app_id], order_by: [{app_id: asc}, {number: desc}]
  ) {
    app_id number outcome started_at ended_at
    app { serving }
  }
}`;

/** What the server observes of an app. Not in the specification. */
export const APP_STATE_SUBSCRIPTION = `subscription AppState($id: uuid!) {
  resources_by_pk(id: $id) { serving retry }
}`;

/** The newest webhook deliveries of an app. Not in the specification. */
export const DELIVERIES_SUBSCRIPTION = `subscription Deliveries($appId: uuid!) {
  deliveries(where: {app_id: {_eq: $appId}}, order_by: {id: desc}, limit: 50) {
    id at event push outcome reason is_replay
  }
}`;

/** What an app used and served since a time. The newest rows first: there is a limit. Not in the specification. */
export const APP_METRICS = `query AppMetrics($appId: uuid!, $step: Int!, $from: timestamptz!) {
  usage(
    where: {app_id: {_eq: $appId}, step: {_eq: $step}, at: {_gte: $from}}, order_by: {at: desc}
  ) { at instance covered_ms cpu_ms memory_bytes received_bytes sent_bytes disk_bytes }
  traffic(
    where: {app_id: {_eq: $appId}, step: {_eq: $step}, at: {_gte: $from}}, order_by: {at: desc}
  ) { at statuses latencies }
}`;

/** Deploys the app again from its current branch or tag. A custom mutation, not one of Hasura's. */
export const REDEPLOY_APP = `mutation RedeployApp($id: uuid!) {
  redeploy_app(id: $id) { id }
}`;

/** Ends the pin of a rollback and deploys the newest commit or image. Also a custom mutation. */
export const RESUME_APP = `mutation ResumeApp($id: uuid!) {
  resume_app(id: $id) { id }
}`;

/** Cancels a release that is in progress. Also a custom mutation. */
export const CANCEL_BUILD = `mutation CancelBuild($id: uuid!, $release: Int!) {
  cancel_build(id: $id, release: $release) { id }
}`;

/** Restarts a running app, or ends the back-off of a failing one. Also a custom mutation. */
export const RESTART_APP = `mutation RestartApp($id: uuid!) {
  restart_app(id: $id) { id }
}`;

/** The newest commands of an app, newest first. */
export const COMMANDS_SUBSCRIPTION = `subscription Commands($appId: uuid!, $limit: Int!) {
  commands(where: {app_id: {_eq: $appId}}, order_by: {number: desc}, limit: $limit) {
    number command state exit_code message release actor started_at ended_at
  }
}`;

/** Runs a command once in the release of the app that serves. Also a custom mutation. */
export const RUN_COMMAND = `mutation RunCommand($id: uuid!, $command: String!) {
  run_command(id: $id, command: $command) { id }
}`;

/** Ends a command that runs. Also a custom mutation. */
export const CANCEL_COMMAND = `mutation CancelCommand($id: uuid!, $number: Int!) {
  cancel_command(id: $id, number: $number) { id }
}`;

/** Makes the next build start without a cache. Also a custom mutation. */
export const CLEAR_BUILD_CACHE = `mutation ClearBuildCache($id: uuid!) {
  clear_build_cache(id: $id) { id }
}`;

/** Sets the app's values to those of a retained release, pinned to its commit or digest. Also a custom mutation. */
export const ROLLBACK_APP = `mutation RollbackApp($id: uuid!, $release: Int!) {
  rollback_app(id: $id, release: $release) { id }
}`;
