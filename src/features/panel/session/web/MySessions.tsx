import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { session, type MySession } from '#features/panel/session/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

/** The viewer's sessions, each with a button to end it. */
export default function MySessions({ onClose }: { onClose: () => void }) {
  const sessions = useQuery(queryOptionsFor(session.mySessions))
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="My sessions" size="md">
      <p className={classes.note}>Ending a session signs out that browser.</p>
      <Loaded query={sessions} skeleton={<div className={classes.skeleton} />}>
        {({ data }) => (
          <ul className={classes.sessions}>
            {data
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((one) => (
                <SessionItem key={one.id} session={one} />
              ))}
          </ul>
        )}
      </Loaded>
    </Modal>
  )
}

function SessionItem({
  session: { id, device, address, current, remember, last_used_at },
}: {
  session: MySession
}) {
  const { send, sending } = useSend(session.revokeSession, {
    refresh: [session.mySessions],
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <li className={classes.session}>
      <div>
        <div className={classes.device}>
          {device}
          {current && <span className={classes.here}>Current session</span>}
        </div>
        <div className={classes.details}>
          {address} · last used <Moment at={last_used_at} />
          {remember && ' · stays signed in'}
        </div>
      </div>
      {!current && (
        <Button
          variant="default"
          size="xs"
          loading={sending}
          aria-label={`End session on ${device}`}
          onClick={() => void send({ params: { id } })}
        >
          End
        </Button>
      )}
    </li>
  )
}
