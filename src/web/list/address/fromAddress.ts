import type { z } from 'zod'

/** Parses filters from a URL; invalid ones fall back to their defaults instead of throwing. */
export function fromAddress<S extends z.ZodType<object>>(
  schema: S,
  search: Record<string, unknown>,
): z.output<S> {
  let rest: Record<string, unknown> = { ...search }
  for (;;) {
    const result = schema.safeParse(rest)
    if (result.success) return result.data
    const bad = new Set(result.error.issues.map(({ path }) => String(path[0])))
    const kept = Object.fromEntries(
      Object.entries(rest).filter(([name, value]) => !bad.has(name) && value !== undefined),
    )
    // A schema that rejects even an empty URL has no defaults to fall back to, which is a bug in the page,
    // not in the URL.
    if (Object.keys(kept).length === Object.keys(rest).length)
      throw new Error(`No defaults for ${[...bad].join(', ')}`)
    rest = kept
  }
}

/** Returns the part of the filters that the URL must contain: everything that differs from the defaults. */
export function toAddress<S extends z.ZodType<object>>(
  schema: S,
  filters: Partial<z.output<S>>,
): Record<string, unknown> {
  const defaults = fromAddress(schema, {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]),
    ),
  )
}
