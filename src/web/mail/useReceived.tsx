import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconMailDown from '@tabler/icons-react/dist/esm/icons/IconMailDown.mjs'
import { receivedMails, type ReceivedRow } from '#shared/received-mails.ts'
import { isMailedType, type RecordType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import classes from '#web/mail/mail.module.css'
import { SenderChips } from '#web/mail/SenderChips.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import type { TimelineEntry } from '#web/record/Timeline.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ReceivedMail = lazyPart(() => import('#web/mail/ReceivedMail.tsx'), 'ReceivedMail')

/** Returns the emails received on a record as entries of its timeline; none for types that can't be emailed. */
export function useReceived(type: RecordType, id: number): readonly TimelineEntry[] {
  const enabled = isMailedType(type)
  const { data } = useQuery({ ...queryOptionsFor(receivedMails.ofRecord, { params: { type, id } }), enabled })
  const rows = data?.data ?? []
  const latest = rows.find(({ kind }) => kind !== 'auto_reply')
  return rows.map((mail) => ({
    id: `received-${mail.id}`,
    kind: 'Emails',
    at: mail.received_at,
    who: mail.from_name || mail.from_address || 'Someone',
    icon: <IconMailDown size={14} stroke={1.5} aria-hidden />,
    content: <ReceivedLine mail={mail} isLatest={mail === latest} />,
  }))
}

/** An email in one line. The latest one is open, because it is what people come to read. */
function ReceivedLine({ mail, isLatest }: { mail: ReceivedRow; isLatest: boolean }) {
  const isAutomatic = mail.kind === 'auto_reply'
  const [isOpen, setOpen] = useState(isLatest)
  return (
    <>
      {isAutomatic ? 'answered automatically' : 'wrote'}{' '}
      <b className={classes.subject}>{mail.subject || '(no subject)'}</b> <SenderChips mail={mail} />{' '}
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide email' : 'Show email'}
      </LinkButton>
      {isOpen && (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <ReceivedMail id={mail.id} />
        </Suspense>
      )}
    </>
  )
}
