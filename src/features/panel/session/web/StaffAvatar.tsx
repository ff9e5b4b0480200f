import { session } from '#features/panel/session/contract.ts'
import { Avatar } from '#web/Avatar.tsx'

/** The picture of one of the staff, or their initials. */
export const StaffAvatar = (props: { name: string; picture: string | null; size?: number }) => <Avatar {...props} pictures={session.picture} />
