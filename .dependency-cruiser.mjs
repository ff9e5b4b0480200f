/*
 * The walls of ARCHITECTURE.md: shared <- server, web <- features <- app. Groups are matched, so a new feature needs no new line.
 * scripts/walls.ts runs them and counts what was read.
 */
const test = '[.]test[.]tsx?$'
const testing = '[.]testing[.]tsx?$'
/** A room may stand at any depth below `features/GROUP/FEATURE`; rooms of one feature are one feature. */
const feature = '^src/features/([^/]+/[^/]+)/'
const serverSide = '^src/features/.+/server/'
const webSide = '^src/features/.+/web/'
const contractOrFields = '^src/features/.+[/.](contract|fields)\\.ts$'
const contractOrRules = '^src/features/.+[/.](contract|fields|rules)\\.ts$'

const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    wall(
      'shared-is-neutral',
      'shared imports only itself and zod.',
      { path: '^src/shared/', pathNot: test },
      { pathNot: ['^src/shared/', '/node_modules/zod/', '^node_modules/zod/'] },
    ),
    wall(
      'server-knows-no-feature',
      'server imports only itself and shared.',
      { path: '^src/server/' },
      { path: '^src/(web|features|app)/', pathNot: testing },
    ),
    wall(
      'web-knows-no-feature',
      'web imports only itself and shared.',
      { path: '^src/web/' },
      { path: '^src/(server|features|app)/', pathNot: testing },
    ),
    wall(
      'contracts-are-neutral',
      'contract.ts, fields.ts, and rules.ts import only shared and other files of these names.',
      { path: contractOrRules },
      { path: '^src/', pathNot: ['^src/shared/', contractOrRules] },
    ),
    wall(
      'contracts-run-everywhere',
      'contract.ts, fields.ts, and rules.ts need no Node.',
      { path: contractOrRules },
      { dependencyTypes: ['core'] },
    ),
    wall(
      'features-know-no-app',
      'features do not import app; their tests may use its test helpers.',
      { path: '^src/features/' },
      { path: '^src/app/', pathNot: testing },
    ),
    wall(
      'server-needs-no-web',
      'the server side of a feature does not import the web side.',
      { path: serverSide },
      { path: ['^src/web/', webSide] },
    ),
    wall(
      'web-needs-no-server',
      'the web side of a feature does not import the server side.',
      { path: webSide },
      { path: ['^src/server/', serverSide] },
    ),
    wall(
      'browser-has-no-node',
      'what runs in the browser does not import Node.',
      { path: ['^src/web/', webSide, '^src/app/browser/'], pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    wall(
      'browser-app-needs-no-server',
      'the browser side of app does not import the server side.',
      { path: '^src/app/browser/', pathNot: test },
      { path: ['^src/server/', '^src/app/server/', serverSide] },
    ),
    wall(
      'features-ask-by-query',
      'the server side of a feature uses another feature by its contract, fields, rules or queries.',
      { path: `${feature}.*server/` },
      {
        path: '^src/features/',
        pathNot: [
          '^src/features/$1/',
          contractOrRules,
          '^src/features/.+/server/[^/]+\\.queries\\.ts$',
          testing,
        ],
      },
    ),
    wall(
      'pages-know-contracts',
      'the web side of a feature uses another feature by its contract and fields.',
      { path: `${feature}.*web/` },
      { path: '^src/features/', pathNot: ['^src/features/$1/', contractOrFields] },
    ),
    wall(
      'tests-are-not-shipped',
      'only tests import tests and test helpers.',
      { path: '^src/', pathNot: [test, testing] },
      { path: [test, testing] },
    ),
    wall(
      'records-are-written-by-the-kit',
      'only the record kit writes the rows of records.',
      { path: '^src/', pathNot: '^src/server/record/' },
      { path: '^src/server/record/write\\.ts$' },
    ),
    wall(
      'http-knows-no-record',
      'http answers requests for any service; the record kit is above it, and app.ts names all services.',
      { path: '^src/server/http/', pathNot: test },
      { path: ['^src/server/record/', '^src/server/app\\.ts$'] },
    ),
    wall(
      'no-circles',
      'two files that need each other are one file, or three.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import', 'type-only'] } },
    ),
    wall(
      'styles-stay-in-their-folder',
      'a CSS module is imported only from its own folder; what two folders share is a component.',
      { path: '^(.+)/[^/]+$' },
      { path: '\\.module\\.css$', pathNot: '^$1/[^/]+$' },
    ),
    wall('everything-is-there', 'an import that leads nowhere.', {}, { couldNotResolve: true }),
    wall(
      'packages-are-declared',
      'a package stands in package.json.',
      { path: '^src/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    wall(
      'no-development-packages',
      'what is shipped uses no development package.',
      { path: '^src/', pathNot: [test, testing] },
      { dependencyTypes: ['npm-dev'], pathNot: ['@types/'] },
    ),
  ],
  options: {
    // TypeScript 7 has no parser that dependency-cruiser could use: without this line it reads nothing and says that all is well.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css', '.json'],
      conditionNames: ['import', 'module', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
