/** Values of a query string, both in the browser's URL and in requests. */
export type QueryValues = Record<string, unknown>

/**
 * Formats a query string the way the server and the panel's URLs expect it: undefined is omitted, null
 * becomes an empty string, and an array becomes `name[]=1&name[]=2` (docs/spec-gaps.md G49). The result has
 * no question mark.
 */
export function toQueryString(values: QueryValues): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, asText(one))
    else query.append(name, asText(value))
  }
  // Groups of filters have these signs (shared/filter-groups.ts), which have no meaning in a value.
  return query.toString().replaceAll('%5B%5D=', '[]=').replaceAll('%3D', '=').replaceAll('%3B', ';')
}

/**
 * Parses a query string; each value is a string, or an array of strings if the parameter ends in `[]` or is
 * repeated.
 */
export function fromQueryString(text: string): Record<string, string | string[]> {
  const query = new URLSearchParams(text)
  const values: Record<string, string | string[]> = {}
  for (const key of new Set(query.keys())) {
    const all = query.getAll(key)
    const isList = key.endsWith('[]')
    values[isList ? key.slice(0, -2) : key] = isList || all.length > 1 ? all : (all[0] ?? '')
  }
  return values
}

const asText = (value: unknown): string => {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
