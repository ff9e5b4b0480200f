import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliCompress, constants } from 'node:zlib'
import { promisify } from 'node:util'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const outDir = 'dist/web'

/**
 * Few chunks instead of one per module that two pages share: a list page has 25 requests to spend (stack.md, speed rule 5).
 * `first` is what the login page needs; `overlays` comes with the first dialog, `forms` with the first form;
 * `shared` is what the pages behind the login have in common.
 */
const firstOfMantine =
  /node_modules\/@mantine\/core\/(esm\/(core|components\/(ActionIcon|Alert|Button|Checkbox|CloseButton|InlineInput|Input|InputBase|Loader|PasswordInput|TextInput|UnstyledButton))\/|styles\/(default-css-variables|baseline|global|UnstyledButton|Paper|CloseButton|Loader|Button|ActionIcon|Input|InlineInput|Checkbox|PasswordInput|Alert)\.)/
const firstOfOurs =
  /src\/(shared\/(access|article-kinds|capitalize|dates|endpoint|products)|web\/(styles\/(login|base)|api\/(client|errors|queries|query-string|session-lost)|config|live|organization|session|theme|time|shell\/(lazy|title)|message\/messages|parts\/PageError)|features\/panel\/session\/web\/(signIn|CredentialFields))\./
/** The articles are many rooms: those that the others need nothing of are pieces of their own. What tasks and their hours share is one. */
const featureOf = (id: string) =>
  (/\/articles\/(faqs|kinds|comments)\//.exec(id) ??
    /features\/(tasks)\//.exec(id) ??
    /features\/[^/]+\/([^/]+)\//.exec(id))?.[1]

/** Whether a part draws fields, dialogs or texts, by itself or by its name. Those of leads stay with the list, which is opened most, except for demos. */
const isOfForms = (id: string) =>
  !/\/crm\/leads\/(?!demos\/)/.test(id) &&
  (/\/cms\/.+(Values|Words)\.ts$/.test(id) ||
    (id.endsWith('.tsx') &&
      (/(Form|Fields?|Dialog|Modal|Parts|Sheet|Tab|Details|Moderators|Notes|Panel|Preview|Facts|Page)\.tsx$/.test(
        id,
      ) ||
        /#web\/(form|files|richtext|mail|record\/(?!useUndo|useRemove|LastAct|RecordLink|recordAddress|fieldWords))|\b(Modal|Drawer|TagsInput|Autocomplete)\b/.test(
          readFileSync(id, 'utf8'),
        ))))

const chunkGroups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 90 },
  { name: 'routing', test: /node_modules\/@tanstack\//, priority: 80 },
  {
    name: 'first',
    test: (id: string) => firstOfMantine.test(id) || firstOfOurs.test(id),
    priority: 70,
  },
  {
    name: 'shared',
    test: /node_modules\/(zod|@tabler|@mantine\/hooks\/esm\/(use-local-storage|use-media-query|use-debounced-value|utils))\/|src\/shared\/(?!(html-allowed|field|recipients|sizes)\.)|src\/web\/(?!(form|files|mail|richtext|calendar|dashboard)\/|record\/(?!(fieldWords|useUndo|LastAct|useRemove|ChoiceInPlace|RecordLink|recordAddress)\.)|filter\/(organizationFilter|SavedViews|useOptions)\.|parts\/(RightModal|MailFrame)\.|palette\/search\.)|src\/features\/(panel\/(session\/(web\/|contract\.)|(bell|chat)\/contract\.)|tasks\/tasks\/(contract|web\/taskAddress)\.|crm\/support\/contract\.|crm\/leads\/((follow-ups|demos)\/)?(contract|rules)\.)/,
    minShareCount: 2,
    priority: 60,
  },
  {
    name: 'overlays',
    test: /node_modules\/(@floating-ui|react-remove-scroll[^/]*|@mantine\/hooks|@mantine\/core\/esm\/components\/(NativeSelect|Modal|ModalBase|Drawer|Popover|Combobox|Overlay|FocusTrap|ScrollArea|Portal))\//,
    priority: 50,
  },
  // What lists choose from, without the list: calendars have the same.
  {
    name: 'options',
    test: /src\/web\/filter\/(useOptions|organizationFilter)\./,
    minShareCount: 2,
    priority: 33,
  },
  { name: 'kit', test: /src\/web\/record\/(?!fieldWords\.)/, minShareCount: 2, priority: 30 },
  { name: 'forms', test: /node_modules\/@mantine\/form\/|src\/web\/form\//, priority: 40 },
  // Their own, or the first feature that shows a file or a text takes them with it, and everybody who shares a line with that feature too.
  // What sends a file and how large one is, without the fields of a form: the library of pictures has both.
  { name: 'uploads', test: /src\/web\/files\/uploads\./, minShareCount: 2, priority: 29 },
  { name: 'sizes', test: /src\/web\/files\/sizeInWords\./, minShareCount: 2, priority: 29 },
  { name: 'files', test: /src\/web\/files\//, minShareCount: 2, priority: 28 },
  {
    name: 'texts',
    test: /node_modules\/dompurify\/|src\/shared\/html-allowed\.|src\/web\/richtext\/(RichText|purify|text|ForeignHtml)\./,
    minShareCount: 2,
    priority: 26,
  },
  {
    debugName: 'feature',
    // One for each feature, whatever room of it a module stands in. Before its forms: a chunk takes along what its modules need.
    // The fields of tasks are apart: lists and records have them, calendars do not.
    name: (id: string) => `${featureOf(id)}-${/\/tasks\/fields\.ts$/.test(id) ? 'fields' : 'shared'}`,
    test: (id: string) =>
      /src\/features\/.+\/(web\/|([\w-]+\.)?(contract|rules|fields)\.ts(\?inputs)?$)/.test(id) &&
      !isOfForms(id),
    minShareCount: 2,
    priority: 24,
  },
  {
    debugName: 'forms of a feature',
    // Beside the rest of it, or its lists would bring dialogs and fields with them.
    name: (id: string) => `${featureOf(id)}-forms`,
    test: /src\/features\/.+\/web\//,
    minShareCount: 2,
    priority: 20,
  },
  {
    name: 'charts',
    test: /node_modules\/(recharts|d3-[^/]+|victory-vendor|@reduxjs|react-redux|immer|decimal\.js-light|es-toolkit|@mantine\/charts)\//,
    priority: 10,
  },
]

/**
 * The chunks of which most is called while the first page begins. Chromium reads the functions of a script only when they are
 * called, one by one and a second time, while the page waits; told so, it reads them all beforehand, beside the page
 * (docs/decisions/007-render-the-first-page-once.md). Other browsers see a comment.
 */
const calledOnLoad = new Set([
  'rolldown-runtime',
  'index',
  'react',
  'routing',
  'first',
  'shared',
  'leads-shared',
  'Panel',
  'LeadsPage',
  'DashboardPage',
])

/** They are named to the browser with the page itself (`earlyFiles`): to name them once more costs a page as long as drawing some rows. */
const isCalledOnLoad = (file: string) => calledOnLoad.has(/([^/]+)-[^-]{8}\.js$/.exec(file)?.[1] ?? '')

export default defineConfig({
  plugins: [
    react({ compiler: true }),
    fieldsWithoutSchemas(),
    endpointsWithoutSchemas(),
    formsWithSchemas(),
    zodWithoutUnusedParts(),
    iconInPage(),
    readBeforehand(),
    earlyFiles(),
    brotliBesides(),
  ],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !isCalledOnLoad(file)),
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env.API_PORT ?? 3000}` } },
})

/**
 * The browser calls an endpoint by its method, path and access, and validates with the schemas that its forms name. The schemas
 * of the endpoints themselves are the server's: to make them takes as long as to draw the first page's rows. Here they are left
 * out of the endpoints, with their words and product places, and schemas that nobody reads any more out of the build.
 */
function endpointsWithoutSchemas(): Plugin {
  const serverOnly = new Set(['params', 'query', 'body', 'response', 'summary', 'act', 'product'])
  return {
    name: 'endpoints-without-schemas',
    transform: {
      filter: {
        id: /src\/(features\/.*(contract|fields)|shared\/(schemas|files|drafts|mails|.*contract))\.ts(\?inputs)?$/,
      },
      handler(code) {
        const changes: Change[] = []
        const look = (node: any): void => {
          if (typeof node !== 'object' || node === null) return
          if (node.type === 'CallExpression' && node.callee.name === 'endpoint')
            for (const { key, value } of node.arguments[0].properties)
              if (serverOnly.has(key?.name)) changes.push({ at: value, text: 'undefined' })
          Object.values(node).forEach(look)
        }
        const { body } = this.parse(code)
        look(body)
        for (const statement of body) {
          const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
          if (declaration?.type !== 'VariableDeclaration') continue
          // To make a schema changes nothing else; the bundler cannot know that of a chain of calls.
          for (const { init } of declaration.declarations)
            if (init?.type === 'CallExpression')
              changes.push({
                at: init,
                text: `/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`,
              })
        }
        // What only the left out schemas were made of is not even imported: the bundler would load it with this file.
        const left = applied(changes.concat(imports(body).map((at) => ({ at, text: '' }))), code)
        for (const statement of imports(body))
          if (!statement.specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(left)))
            changes.push({ at: statement, text: '' })
        return { code: applied(changes, code), map: null }
      },
    },
  }
}

/**
 * Splits `fields.ts`: lists need its labels and columns, forms need its schemas of requests, and its schemas of replies are only
 * for the server. A contract imports the schemas as a module of its own, so that pages that call endpoints load no labels.
 */
function fieldsWithoutSchemas(): Plugin {
  return {
    name: 'fields-without-schemas',
    transform: {
      filter: { id: /src\/features\/.*(contract\.ts|fields\.ts(\?inputs)?)$/ },
      handler(code, id) {
        const { body } = this.parse(code)
        if (id.endsWith('contract.ts')) {
          const withoutReplies = code.replaceAll(/\.\.\.(replies|details)Of\(\w+\),?/g, '')
          const from = /(from ["']#features\/.*\bfields\.ts)(?=["'])/g
          return { code: withoutReplies.replaceAll(from, '$1?inputs'), map: null }
        }
        const areInputs = id.endsWith('?inputs')
        const isLeftOut = ({ key: { name } }: any) =>
          areInputs ? name !== 'input' : name === 'input' || name === 'reply'
        const changes: Change[] = []
        for (const { id: declared, init } of body.flatMap(
          (one: any) => one.declaration?.declarations ?? [],
        )) {
          if (!declared.name.endsWith('Fields') || init?.type !== 'ObjectExpression') continue
          for (const { start, end } of init.properties.flatMap(
            ({ value }: any) => value?.properties?.filter(isLeftOut) ?? [],
          ))
            changes.push({ at: { start, end: code[end] === ',' ? end + 1 : end }, text: '' })
          if (areInputs)
            for (const [at, text] of [
              [init.start, '/* @__PURE__ */ (() => ('],
              [init.end, '))()'],
            ] as const)
              changes.push({ at: { start: at, end: at }, text })
        }
        return { code: applied(changes, code), map: null }
      },
    },
  }
}

/** A form that names the schema of an endpoint would have none in the browser, and refuse every save without a word. */
function formsWithSchemas(): Plugin {
  return {
    name: 'forms-with-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /src\/.*\/web\/.*\.tsx?$/, code: /\bschema: / },
      handler(code, id) {
        const named = /\bschema: ([\w.()]+\.(?:body|query|params))\b/.exec(code)?.[1]
        if (named)
          this.error(`${id}: ${named} is not in the browser; name a schema that the contract exports.`)
      },
    },
  }
}

interface Place {
  start: number
  end: number
}

interface Change {
  at: Place
  text: string
}

const applied = (changes: readonly Change[], code: string) =>
  changes
    .toSorted((one, other) => other.at.start - one.at.start)
    .reduce((rest, { at, text }) => rest.slice(0, at.start) + text + rest.slice(at.end), code)

const imports = (body: readonly any[]): (Place & { specifiers: { local: { name: string } }[] })[] =>
  body.filter(({ type }) => type === 'ImportDeclaration')

/**
 * Leaves out the parts of zod that the browser never uses but tree shaking keeps: the JSON schema functions, which are reached
 * from methods of every schema, and the English messages, which shared/input-errors.ts replaces.
 */
function zodWithoutUnusedParts(): Plugin {
  return {
    name: 'zod-without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /zod\/v4\/(core\/(json-schema-processors|to-json-schema)|locales\/en)\.js$/ },
      handler(code, id) {
        if (id.endsWith('en.js')) return { code: 'export default () => ({})', map: null }
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
        return { code: names.map((name) => `export const ${name} = () => undefined`).join('\n'), map: null }
      },
    },
  }
}

/** The icon is half a kilobyte: in the page it costs no request of its own. */
function iconInPage(): Plugin {
  return {
    name: 'icon-in-page',
    apply: 'build',
    transformIndexHtml: async (html) =>
      html.replace('/favicon.png', `data:image/png;base64,${await readFile('public/favicon.png', 'base64')}`),
  }
}

/** Writes the comment of `calledOnLoad`: V8 heeds it before the first statement only, and Vite puts some of its own in front. */
function readBeforehand(): Plugin {
  return {
    name: 'read-beforehand',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk' && calledOnLoad.has(output.name))
            output.code = `//# allFunctionsCalledOnLoad\n${output.code}`
      },
    },
  }
}

/** Pages that people open the panel with: their code is fetched together with the page itself. */
const earlyPages = {
  '/demo-leads': 'features/crm/leads/list/web/LeadsPage.tsx',
  '/dashboard': 'app/browser/DashboardPage.tsx',
}

/** Writes `early.json`: which files make every page, the panel, and these pages, for `src/app/server/client.ts`. */
function earlyFiles(): Plugin {
  let early = ''
  let folder = outDir
  return {
    name: 'early-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const every = [...html.matchAll(/(?:src|href)="(\/(?:early\.js|assets\/[^"]+))"/g)].map(
          ([, file]) => file!,
        )
        const filesOf = (module: string, known: readonly string[]): string[] => {
          const files = new Set<string>()
          const add = (chunk: (typeof chunks)[number] | undefined) => {
            if (!chunk || files.has(`/${chunk.fileName}`)) return
            files.add(`/${chunk.fileName}`)
            for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(`/${style}`)
            for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name))
          }
          const found = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}`))
          if (!found) throw new Error(`The build has no chunk of ${module}`)
          add(found)
          return [...files].filter((file) => !known.includes(file))
        }
        const panel = filesOf('app/browser/Panel.tsx', every)
        const pages = Object.entries(earlyPages).map(([path, module]) => [
          path,
          filesOf(module, [...every, ...panel]),
        ])
        early = JSON.stringify({ every, panel, pages: Object.fromEntries(pages) })
      },
    },
    closeBundle: () => writeFile(join(folder, 'early.json'), early),
  }
}

/** Writes `name.br` next to everything that compresses, so that the server can send it as it is. */
function brotliBesides(): Plugin {
  const compress = promisify(brotliCompress)
  let folder = outDir
  return {
    name: 'brotli-besides',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile() && /\.(m?js|css|svg|json|txt)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
      for (const file of files) {
        const bytes = await readFile(file)
        await writeFile(
          `${file}.br`,
          await compress(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 11,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          }),
        )
      }
    },
  }
}
