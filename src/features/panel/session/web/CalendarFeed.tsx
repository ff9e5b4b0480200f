import { useState } from 'react'
import { Alert, Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { calendarFeed } from '#features/crm/calendar-feed/contract.ts'
import classes from '#features/panel/session/web/dialogs.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { copyText } from '#web/copyText.ts'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'
import { useDialog } from '#web/parts/useDialog.ts'

/** The secret address at which a calendar program reads the viewer's sessions and follow-ups. */
export default function CalendarFeed({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const query = useQuery({ ...queryOptionsFor(calendarFeed.show), staleTime: 0 })
  return (
    <Modal {...dialog} opened onClose={onClose} title="Calendar feed" size="md">
      <p className={classes.note}>
        See your sessions and follow-ups in Outlook, Google Calendar, or Apple Calendar. The feed has the
        names of companies, but no people, comments, or phone numbers.
      </p>
      <Loaded query={query}>{({ data }) => <Feed feed={data} />}</Loaded>
    </Modal>
  )
}

type State = { created_at: string; last_read_at: string | null } | null

function Feed({ feed }: { feed: State }) {
  const [address, setAddress] = useState<string>()
  const { send, sending } = useSend(calendarFeed.create, {
    onDone: (reply) => setAddress(reply.address ?? undefined),
  })
  const { send: remove, sending: removing } = useSend(calendarFeed.remove, {
    onDone: ({ message }) => {
      setAddress(undefined)
      toast.success(message)
    },
  })
  const detail = 'Calendars that have this address no longer get your sessions and follow-ups.'
  const replace = async () => {
    if (await askToProceed('Replace the address?', { detail, proceedLabel: 'Replace' })) await send()
  }
  const turnOff = async () => {
    if (await askToProceed('Turn off the calendar feed?', { detail, proceedLabel: 'Turn off' }))
      await remove()
  }
  if (feed === null)
    return (
      <Button loading={sending} onClick={() => void send()}>
        Create feed
      </Button>
    )
  return (
    <div className={classes.feed}>
      {address !== undefined && <Address address={address} />}
      <p className={classes.note}>
        Created <Moment at={feed.created_at} />.{' '}
        {feed.last_read_at === null ? (
          'No calendar has read it yet.'
        ) : (
          <>
            Last read <Moment at={feed.last_read_at} />.
          </>
        )}
      </p>
      <div className={classes.foot}>
        <Button variant="default" loading={sending} onClick={() => void replace()}>
          Replace address
        </Button>
        <Button variant="default" loading={removing} onClick={() => void turnOff()}>
          Turn off
        </Button>
      </div>
      <p className={classes.note}>Calendar programs read the feed every few hours.</p>
    </div>
  )
}

function Address({ address }: { address: string }) {
  return (
    <Alert color="yellow">
      <p>
        <strong>Copy this address now. It isn’t shown again.</strong>
      </p>
      <code className={classes.secret}>{address}</code>
      <p>Everyone who has it can read your feed. Add it to your calendar as a subscription by URL.</p>
      <Button variant="default" onClick={() => void copyText(address, 'Address copied.')}>
        Copy address
      </Button>
    </Alert>
  )
}
