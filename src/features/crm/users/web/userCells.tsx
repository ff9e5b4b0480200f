import { dayText } from '#shared/dates.ts'
import type { UserRow } from '#features/crm/users/contract.ts'
import { Tone } from '#web/parts/Tone.tsx'

/** A user's status; a ban takes precedence. */
export function UserState({ user }: { user: UserRow }) {
  if (user.banned_at !== null) return <Tone tone="red">Banned</Tone>
  return user.status === 1 ? <Tone tone="green">Active</Tone> : <Tone tone="gray">Inactive</Tone>
}

export const banText = ({ banned_until, ban_reason }: UserRow) =>
  [ban_reason, banned_until ? `until ${dayText(banned_until.slice(0, 10))}` : 'indefinitely']
    .filter(Boolean)
    .join(', ')
