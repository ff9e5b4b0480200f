import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { staff, type StaffMember } from '#features/admin/staff/contract.ts'
import classes from '#features/admin/staff/web/staff.module.css'
import { staffFields } from '#features/admin/staff/fields.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { Timeline } from '#web/record/Timeline.tsx'
import { useMyProducts } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  person: StaffMember
  teams: readonly { id: number; name: string }[]
  onClose: () => void
}

/**
 * Panel that lists an admin user's open sessions, each with a button to end it, offers a new invitation link in
 * case the first one was lost, and shows the history.
 */
export default function StaffSheet({ person, teams, onClose }: Props) {
  const params = { id: person.id }
  const fields = withWords(staffFields, { product_ids: byId(useMyProducts()), team_ids: byId(teams) })
  const sessions = useQuery({ ...queryOptionsFor(staff.sessions, { params }), staleTime: 0 })
  const { send: end, sending } = useSend(staff.endSessions, {
    refresh: [staff.sessions],
    onDone: ({ message }) => toast.success(message),
  })
  const { send: invite, sending: inviting } = useSend(staff.invite, {
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <RightModal title={`Details of ${person.name}`} onClose={onClose}>
      <div className={classes.sheet}>
        <Loaded query={sessions} skeleton={<p role="status">Loading…</p>}>
          {({ data }) =>
            data.length === 0 ? (
              <p>No active sessions.</p>
            ) : (
              <>
                <ul className={classes.sessions} aria-label="Sessions">
                  {data.map((one) => (
                    <li key={one.id}>
                      <span>
                        {one.device}, {one.address}, last used <Moment at={one.last_used_at} />
                      </span>
                      <RowAction
                        disabled={sending}
                        aria-label={`End session on ${one.device}`}
                        onClick={() => void end({ params, body: { session_id: one.id } })}
                      >
                        End session
                      </RowAction>
                    </li>
                  ))}
                </ul>
                <Button
                  size="xs"
                  variant="default"
                  loading={sending}
                  onClick={() => void end({ params, body: {} })}
                >
                  End all sessions
                </Button>
              </>
            )
          }
        </Loaded>
        <Button
          size="xs"
          variant="default"
          loading={inviting}
          disabled={person.banned_at !== null}
          onClick={() => void invite({ params })}
        >
          Send password setup link
        </Button>
      </div>
      <Timeline type="staff" id={person.id} fields={fields} />
    </RightModal>
  )
}
