import { z } from 'zod'
import { asList } from '#shared/schemas.ts'

/*
 * Groups of a list's filters. A record matches a group if it matches all filters of the group, and the list has the
 * records that match at least one group. In addresses, saved views, and requests, each group is a text:
 * `status=2;field_filter=email:empty`. A name is repeated for a filter with several values.
 */

const mostGroups = 5
/** Longest text of a group. */
export const longestGroup = 1000

/** The groups that a list can have. */
export interface FilterGroups<Group extends object> {
  most: number
  /** Longest text of a group. */
  longest: number
  /** Returns the filters of a group that the schema has accepted. */
  read: (text: string) => Group
  /** Returns the text of a group; empty if it has no filters. */
  write: (group: Group) => string
}

/**
 * Declares the groups of a list by the filters that a group can have. The schema accepts the groups as texts, and
 * returns each as `write` does.
 */
export function filterGroups<S extends z.ZodObject>(filters: S) {
  let defaults: Record<string, unknown> | undefined
  const isSet = ([name, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify((defaults ??= filters.parse({}))[name])
  const write = (group: z.output<S>) =>
    Object.entries(group)
      .filter(isSet)
      .flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one) => `${name}=${escaped(one)}`),
      )
      .join(';')
  const group = z
    .string('This must be text.')
    .max(longestGroup, `Use ${longestGroup} characters or fewer in each group.`)
    .transform((text, { issues }) => {
      const result = readGroup(filters, text)
      const written = 'group' in result ? write(result.group) : ''
      if (written !== '') return written
      const message = 'problem' in result ? result.problem : 'Choose at least one filter in each group.'
      issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    })
  return {
    schema: z.preprocess(
      asList,
      z
        .array(group)
        .min(1)
        .max(mostGroups, `Use ${mostGroups} groups or fewer.`)
        .overwrite((groups) => [...new Set(groups)])
        .optional(),
    ),
    most: mostGroups,
    longest: longestGroup,
    read: (text: string) => filters.parse(valuesOf(text)),
    write,
  }
}

function readGroup<S extends z.ZodObject>(
  filters: S,
  text: string,
): { group: z.output<S> } | { problem: string } {
  const values = valuesOf(text)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(filters.shape, name))
  if (unknown !== undefined) return { problem: `“${unknown}” isn’t a filter of a group.` }
  const parsed = filters.safeParse(values)
  if (parsed.success) return { group: parsed.data }
  const { path, message } = parsed.error.issues[0]!
  return { problem: `${String(path[0])}: ${message}` }
}

/** Reads the values of a text: each is a string, or an array of strings if its name is repeated. */
function valuesOf(text: string): Record<string, string | string[]> {
  const all = text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => part.split(/=(.*)/su) as [name: string, value?: string])
  return Object.fromEntries(
    Array.from(
      Map.groupBy(all, ([name]) => name),
      ([name, values]) => {
        const texts = values.map(([, value = '']) => unescaped(value))
        return [name, texts.length === 1 ? texts[0]! : texts]
      },
    ),
  )
}

const escaped = (value: unknown) => String(value).replaceAll(/[;%]/g, encodeURIComponent)
const unescaped = (value: string) => value.replaceAll(/%(3B|25)/gi, decodeURIComponent)
