import { session } from '#features/panel/session/contract.ts'
import { Avatar } from '#web/Avatar.tsx'

/** An admin user's picture, or their initials. */
export const StaffAvatar = (props: { name: string; picture: string | null; size?: number }) => (
  <Avatar {...props} pictures={session.picture} />
)
