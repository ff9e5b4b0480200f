// A variable, because the modules of the browser compile only with tsconfig.web.json.
const source = '#app/browser/features.ts'
const { pages } = (await import(source)) as { pages: readonly { path: string; name: string }[] }

/** The pages of all features that need no record; a new one is among them. */
export const plainPages = pages.filter(({ path }) => !path.includes('$'))
