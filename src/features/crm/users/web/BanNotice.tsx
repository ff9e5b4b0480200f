import { Button } from '@mantine/core'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import { dayText } from '#shared/dates.ts'
import { users, type UserDetail } from '#features/crm/users/contract.ts'
import { useUnban } from '#features/crm/users/web/userChange.ts'
import { useMay } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { SheetNotice } from '#web/sheet/SheetNotice.tsx'

/** Notice on the page of a banned user: until when, by whom, and why, with the button that lifts the ban. */
export function BanNotice({ user, banned_at }: { user: UserDetail; banned_at: string }) {
  const { send, sending } = useUnban()
  const params = { id: user.id }
  const may = useMay(users.unban, { params })
  const { banned_until: until, banned_by_name, ban_reason } = user
  return (
    <SheetNotice
      icon={<IconBan size={16} stroke={1.5} aria-hidden />}
      action={
        may && (
          <Button size="compact-xs" variant="default" loading={sending} onClick={() => void send({ params })}>
            Unban
          </Button>
        )
      }
    >
      <b>{until ? `Banned until ${dayText(until.slice(0, 10))}` : 'Banned indefinitely'}</b>
      {banned_by_name && ` by ${banned_by_name}`}, <Moment at={banned_at} />
      {`. ${ban_reason}${/[.!?]$/.test(ban_reason) ? '' : '.'} Banned users don’t receive email.`}
    </SheetNotice>
  )
}
