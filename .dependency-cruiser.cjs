/** Services of the server. They do not import each other; wiring/ passes each what it needs. */
const SERVICES = 'auth|graphql|storage|functions|connect|logs|domains|usage|isolation|console';
const TEST = '\\.(test|spec)\\.tsx?$|(^|/)(test|e2e|bench)/|^packages/testkit/';

module.exports = {
  forbidden: [
    {
      name: 'contract-imports-no-workspace',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: TEST },
      to: { path: '^(packages/(?!contract/)|apps/|e2e/|bench/)' },
    },
    {
      name: 'client-imports-only-the-contract',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: TEST },
      to: { path: '^(packages/(?!client/|contract/)|apps/|e2e/|bench/)' },
    },
    {
      name: 'console-imports-only-client-and-contract',
      severity: 'error',
      from: { path: '^apps/console/src/', pathNot: TEST },
      to: { path: '^(packages/(?!client/|contract/)|apps/(?!console/)|e2e/|bench/)' },
    },
    {
      name: 'server-imports-only-the-contract',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: TEST },
      to: { path: '^(packages/(?!contract/|edge-contract/)|apps/(?!server/)|e2e/|bench/)' },
    },
    {
      name: 'edge-imports-only-its-contract',
      severity: 'error',
      from: { path: '^apps/edge/src/', pathNot: TEST },
      to: { path: '^(packages/(?!edge-contract/)|apps/(?!edge/)|e2e/|bench/)' },
    },
    {
      name: 'services-do-not-import-each-other',
      severity: 'error',
      from: { path: `^apps/server/src/(${SERVICES})/`, pathNot: TEST },
      to: { path: `^apps/server/src/(${SERVICES})/`, pathNot: '^apps/server/src/$1/' },
    },
    {
      name: 'apps-imports-no-service',
      comment: 'apps/ is the only home of app rows; services, GraphQL and the reconciler call it.',
      severity: 'error',
      from: { path: '^apps/server/src/apps/', pathNot: TEST },
      to: { path: `^apps/server/src/(${SERVICES}|reconciler|wiring)/` },
    },
    {
      name: 'nobody-imports-main',
      comment: 'main.ts wires everything and is imported by the start script alone.',
      severity: 'error',
      from: { path: '^(packages|apps)/' },
      to: { path: '^apps/server/src/main\\.ts$' },
    },
    {
      name: 'reconciler-knows-engines-by-their-port',
      severity: 'error',
      from: { path: '^apps/server/src/reconciler/', pathNot: TEST },
      to: {
        path: '^apps/server/src/engines/',
        pathNot: '^apps/server/src/engines/(engine|failure|failure-messages)\\.ts$',
      },
    },
    {
      name: 'engines-do-not-know-the-reconciler',
      severity: 'error',
      from: {
        path: '^apps/server/src/(engines|build|processes|data-dir|toolchain)/',
        pathNot: TEST,
      },
      to: { path: `^apps/server/src/(reconciler|${SERVICES})/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'features-do-not-import-each-other',
      severity: 'error',
      from: { path: '^apps/console/src/features/([^/]+)/' },
      to: {
        path: '^apps/console/src/features/',
        pathNot: '^apps/console/src/features/$1/',
      },
    },
    {
      name: 'console-parts-point-inward',
      comment: 'ui, lib and client serve the features and the shell, never the other way round.',
      severity: 'error',
      from: { path: '^apps/console/src/(ui|lib|client)/', pathNot: TEST },
      to: { path: '^apps/console/src/(app|shell|features)/' },
    },
    {
      name: 'import-workspaces-by-their-exports',
      comment: 'A file that a workspace does not export is private to it.',
      severity: 'error',
      from: { path: '^((?:packages|apps)/[^/]+|e2e|bench)/' },
      to: {
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: ['^$1/', '^packages/[^/]+/src/index\\.ts$'],
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'only-processes-spawns',
      severity: 'error',
      from: {
        path: '^(apps|packages)/',
        pathNot: [TEST, '^apps/server/src/processes/', '^apps/edge/src/keeper/'],
      },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      from: { pathNot: TEST },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no programmatic API, so swc parses the imports.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
