/** What an admin user writes in the composer of a record's page. */
export const writtenParts = ['reply', 'note', 'email'] as const
export type WrittenPart = (typeof writtenParts)[number]

/** Live event of a record's presence channel: a user is writing, or has stopped if `what` is null. */
export interface WritingEvent {
  channel: string
  id: number
  name: string
  what: WrittenPart | null
}
