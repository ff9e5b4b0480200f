import type { Plugin } from 'vite'

/**
 * Leaves the schemas of endpoints out of the browser's build, with their summaries and product declarations:
 * only the server uses them, and creating them takes as long as rendering the first page's rows. The browser
 * calls an endpoint by its method, path, and access, and validates with the schemas that its forms name.
 * Schemas that nothing reads anymore are then dropped by the bundler.
 */
export function endpointsWithoutSchemas(): Plugin {
  const serverOnly = new Set(['params', 'query', 'body', 'response', 'summary', 'act', 'product', 'calledBy'])
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
          // Creating a schema has no side effects, but the bundler can't know that of a chain of calls.
          for (const { init } of declaration.declarations)
            if (init?.type === 'CallExpression')
              changes.push({
                at: init,
                text: `/* @__PURE__ */ (() => ${code.slice(init.start, init.end)})()`,
              })
        }
        // Also drop imports that only the omitted schemas used; the bundler would load them with this file.
        const left = applied(changes.concat(imports(body).map((at) => ({ at, text: '' }))), code)
        // An import without names is there for its effects, such as the messages of shared/input-errors.ts.
        for (const statement of imports(body))
          if (
            statement.specifiers.length > 0 &&
            !statement.specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(left))
          )
            changes.push({ at: statement, text: '' })
        return { code: applied(changes, code), map: null }
      },
    },
  }
}

const fromFields = /(from ["']#features\/.*\bfields\.ts)(?=["'])/g

/**
 * Splits `fields.ts`: lists need its labels and columns, forms need its schemas of requests, and its schemas of
 * replies are only for the server. A contract imports the schemas as a separate module, so that pages that call
 * endpoints load no labels.
 */
export function fieldsWithoutSchemas(): Plugin {
  return {
    name: 'fields-without-schemas',
    transform: {
      filter: { id: /src\/features\/.*(contract\.ts|fields\.ts(\?inputs)?)$/ },
      handler(code, id) {
        const { body } = this.parse(code)
        if (id.endsWith('contract.ts')) {
          const withoutReplies = code.replaceAll(/\.\.\.(replies|details)Of\(\w+\),?/g, '')
          return { code: withoutReplies.replaceAll(fromFields, '$1?inputs'), map: null }
        }
        const areInputs = id.endsWith('?inputs')
        const isLeftOut = ({ key }: any) => {
          if (!key) this.error(`${id}: a field can't spread other values; write its properties out.`)
          return areInputs ? key.name !== 'input' : ['input', 'reply', 'detail'].includes(key.name)
        }
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
        const left = applied(changes, code)
        // A declaration can contain another type's fields.
        return { code: areInputs ? left.replaceAll(fromFields, '$1?inputs') : left, map: null }
      },
    },
  }
}

/**
 * Fails the build if a form names the schema of an endpoint: it is missing in the browser, so the form would
 * refuse every save without a message.
 */
export function formsWithSchemas(): Plugin {
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
