import type { LiveName } from '#shared/records.ts'

/*
 * The reply of a write says what it changed, and the tab that sent it refetches what shows that: a read declares it
 * with `shows`. Other tabs hear of the same names over the live connection, and refetch the same.
 */

/** Data without a live event: only the tab that changes it refetches what shows it. */
const silentNames = [
  'arrangement',
  'chat',
  'holidays',
  'lead-import',
  'lead-tag',
  'mail_senders',
  'media',
  'meta-tags',
  'notices',
  'organization_reminder',
  'reminder',
  'request',
  'session',
  'terms',
] as const

/** Name of what a write changes and a read shows. */
export type ChangedName = LiveName | (typeof silentNames)[number]

/** Header of the reply of a write: the names of what it changed, with commas. It is absent if that is nothing. */
export const changedHeader = 'X-Changed'
/**
 * Stands for any names: a repeated request isn't handled again, so what the first one changed is unknown; and some reads
 * show what any write can change.
 */
export const everything = '*'

/** Names of what a read shows; `*` if any write can change it. */
export type Shows = readonly (ChangedName | typeof everything)[]

const silent: ReadonlySet<string> = new Set([...silentNames, everything])
export const isLive = (name: Shows[number]): name is LiveName => !silent.has(name)

/**
 * The name in the header if all records of the type were moved to the trash: their lists change, and a page of one is
 * about to be left.
 */
export const inLists = <Name extends string>(name: Name) => `${name};lists` as const
export type InLists = ReturnType<typeof inLists<ChangedName>>
