import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import { session, type MySession } from '#features/panel/session/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded, LoadingState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'
import { Soft } from '#web/parts/Soft.tsx'

/** The viewer's sessions, each with a button to end it. */
export default function MySessions({ onClose }: { onClose: () => void }) {
  const sessions = useQuery(queryOptionsFor(session.mySessions))
  const dialog = useDialog()
  return (
    <Modal {...dialog} opened onClose={onClose} title="My sessions" size={560}>
      <p className={classes.note}>Ending a session signs out that browser.</p>
      <Loaded query={sessions} skeleton={<LoadingState rows={2} />}>
        {({ data }) => (
          <>
            <ul className={classes.sessions}>
              {data
                .toSorted((a, b) => Number(b.current) - Number(a.current))
                .map((one) => (
                  <SessionItem key={one.id} session={one} />
                ))}
            </ul>
            {data.some(({ current }) => !current) && <EndOthers />}
          </>
        )}
      </Loaded>
    </Modal>
  )
}

function EndOthers() {
  const { send, sending } = useSend(session.revokeOthers, {
    onDone: ({ message }) => toast.success(message),
  })
  return (
    <div className={classes.foot}>
      <Soft small>Don’t recognize one? End it and change your password.</Soft>
      <Button variant="default" loading={sending} onClick={() => void send({})}>
        End all other sessions
      </Button>
    </div>
  )
}

const isPhone = (device: string) => /iPhone|iPad|Android/.test(device)

function SessionItem({
  session: { id, device, address, current, remember, created_at, last_used_at },
}: {
  session: MySession
}) {
  const { send, sending } = useSend(session.revokeSession, {
    onDone: ({ message }) => toast.success(message),
  })
  const Icon = isPhone(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.session}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <div className={classes.about}>
        <div className={classes.device}>
          {device}
          {current && <span className={classes.here}>Current session</span>}
        </div>
        <div className={classes.details}>
          {address} ·{' '}
          {current ? (
            <>
              signed in <Moment at={created_at} />
            </>
          ) : (
            <>
              last used <Moment at={last_used_at} />
            </>
          )}
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
          End session
        </Button>
      )}
    </li>
  )
}
