import { session } from '#features/panel/session/contract.ts'
import { Avatar } from '#web/Avatar.tsx'

/** Picture of a staff member, or their initials. */
export const StaffAvatar = (props: { name: string; picture: string | null; size?: number }) => (
  <Avatar {...props} pictures={session.picture} />
)
